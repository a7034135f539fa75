import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** A module of the sources with all that it needs as one file in that folder, for a process of its own. */
export async function asProgram(source: string, folder: string): Promise<string> {
  const file = join(folder, 'program.mjs');
  await build({
    input: fileURLToPath(new URL(`../src/${source}`, import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['@holdfast/source', 'import', 'node', 'default'] },
    output: { file, codeSplitting: false },
    logLevel: 'silent',
  });
  return file;
}
