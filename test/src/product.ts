import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** What runs: the built packages and their libraries. */
const parts = [
  'package.json',
  'node_modules',
  'cli',
  'client',
  'console',
  'contracts',
  'core',
  'plugins',
  'server',
];

/** The service's entry in this checkout. */
export const entry = join(root, 'server', 'dist', 'main.js');

/**
 * The service's entry as the user that `become` turns into can read it: in this checkout, or, where the checkout
 * lies in a folder closed to others, in a copy below `folder`.
 */
export function readableEntry(become: string[], folder: string): string {
  const [program = '', ...parameters] = [...become, 'test', '-r', entry];
  if (spawnSync(program, parameters).status === 0) return entry;
  const copy = join(folder, 'product');
  if (!existsSync(copy)) {
    mkdirSync(copy);
    copyInto(copy, parts);
  }
  return entryIn(copy);
}

/** The service's entry in a copy below an empty folder that lacks one part. */
export function productWithout(part: string, folder: string): string {
  copyInto(
    folder,
    parts.filter((each) => each !== part),
  );
  return entryIn(folder);
}

const entryIn = (folder: string) => join(folder, 'server', 'dist', 'main.js');

/** Hard links cost nothing; another filesystem needs real copies. */
function copyInto(folder: string, copied: string[]): void {
  const sources = copied.map((part) => join(root, part));
  if (spawnSync('cp', ['-al', ...sources, folder]).status !== 0) {
    execFileSync('cp', ['-a', ...sources, folder]);
  }
}
