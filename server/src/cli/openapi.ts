import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../http/docs/openapi.js';
import { CommandError } from './exit.js';

export async function openapi({ output }: { output?: string }): Promise<number> {
  const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;
  if (output === undefined) {
    await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
    return 0;
  }
  // Not only for this user, as the service's own files are: it is no secret.
  await writeFile(output, text, { mode: 0o644 }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`${output} can't be written (${error.code}).`);
  });
  return 0;
}
