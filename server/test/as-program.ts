import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/**
 * A module of the sources with all that it needs as one file in that folder, for a process of its own. Packages of
 * `native` are used where they are installed.
 */
export async function asProgram(
  source: string,
  folder: string,
  native: readonly string[] = [],
): Promise<string> {
  const file = join(folder, 'program.mjs');
  const installed = new Map(native.map((name) => [name, import.meta.resolve(name)]));
  await build({
    input: fileURLToPath(new URL(`../src/${source}`, import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['@holdfast/source', 'import', 'node', 'default'] },
    plugins: [
      {
        name: 'native',
        resolveId(name) {
          const id = installed.get(name);
          return id === undefined ? null : { id, external: 'absolute' };
        },
      },
    ],
    output: { file, codeSplitting: false },
    logLevel: 'silent',
  });
  return file;
}
