import { randomFillSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files of random bytes: nothing to deduplicate or compress. */
export function makeRandomTree(folder, { files, mebibytes }) {
  const bytes = Buffer.alloc(Math.round((mebibytes * 1024 * 1024) / files));
  for (let n = 0; n < files; n++) {
    const below = join(folder, `dir-${Math.floor(n / 100)}`);
    if (n % 100 === 0) mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `file-${n}.bin`), randomFillSync(bytes));
  }
}

/** Very many small files. */
export function makeWideTree(folder, entries) {
  for (let n = 0; n < entries; n++) {
    const below = join(folder, `dir-${Math.floor(n / 1000)}`);
    if (n % 1000 === 0) mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `a-file-with-a-name-of-usual-length-${n}.txt`), `${n}\n`);
  }
}
