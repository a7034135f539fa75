import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** Path, size and time of every file below the folders: cheap, and changed by every edit. */
export function* factsOf(paths) {
  for (const path of paths) {
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
