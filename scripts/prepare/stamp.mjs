import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './root.mjs';

/** The kind of machine that native parts of packages are for; they fit each version of Node.js. */
export const runtime = `${process.platform} ${process.arch}`;

/** A stamp is a small file that records what was prepared last; equal text means nothing to do. */
export function stampIs(file, text) {
  try {
    return readFileSync(file, 'utf8') === text;
  } catch {
    return false;
  }
}

export function writeStamp(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

export function removeStamp(file) {
  rmSync(file, { force: true });
}

export function hashOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex');
}

/** Written from the description of the interface, and only for the compiler. */
const generated = join(root, 'client', 'src', 'schema.ts');

/** Path, size and time of every file below the folders: cheap, and changed by every edit. */
export function* factsOf(paths) {
  for (const path of paths) {
    if (path === generated) continue;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (stat.isDirectory()) {
      const names = readdirSync(path).sort();
      yield* factsOf(names.map((name) => join(path, name)));
    } else {
      yield `${path}:${stat.size}:${stat.mtimeMs}`;
    }
  }
}
