import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../http/docs/openapi.js';
import { CommandError } from './exit.js';

export async function openapi({ output }: { output?: string }): Promise<number> {
  const text = `${JSON.stringify(await openApiDocument(), null, 2)}\n`;
  if (output === undefined) {
    await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
    return 0;
  }
  // Readable by everyone, unlike the service's own files: it contains no secrets.
  await writeFile(output, text, { mode: 0o644 }).catch((error: NodeJS.ErrnoException) => {
    throw new CommandError(`Can't write ${output} (${error.code}).`);
  });
  return 0;
}
