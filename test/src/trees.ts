import { randomBytes } from 'node:crypto';
import {
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

/** Names of the remarkable entries of a rich tree, relative to it. */
export const remarkable = {
  unicode: 'ünï-✓-日本語.txt',
  newline: 'two\nlines.txt',
  longName: `${'long-'.repeat(49)}.txt`,
  optionLike: '-rf --all.txt',
  linkToFile: 'link-to-file',
  dangling: 'dangling-link',
  firstName: 'hard-a.bin',
  secondName: 'hard-z.bin',
  emptyFolder: 'empty folder',
  sparse: 'sparse.img',
  /** As the interface writes the byte 0xff. */
  notUtf8: 'bad\\udcffname.bin',
  deep: 'a/b/c/d/e/f/g/deep.txt',
} as const;

export const sparseSize = 64 * 1024 * 1024;

/** Bytes that differ from file to file and stay the same from run to run. */
export function contentOf(name: string, size: number): Buffer {
  const line = Buffer.from(`${name}\n`);
  return Buffer.alloc(size, line);
}

/** Many small files in folders of 100. */
export function makeFiles(folder: string, count: number, size = 200): void {
  for (let n = 0; n < count; n++) {
    const below = join(folder, `dir-${String(Math.floor(n / 100)).padStart(4, '0')}`);
    if (n % 100 === 0) mkdirSync(below, { recursive: true });
    const name = `file-${String(n).padStart(6, '0')}.txt`;
    writeFileSync(join(below, name), contentOf(name, size));
  }
}

/** Files that no compression shrinks: they keep the tool busy. */
export function makeRandomFiles(folder: string, count: number, megabytesEach: number): void {
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n++) {
    writeFileSync(join(folder, `random-${n}.bin`), randomBytes(megabytesEach * 1024 * 1024));
  }
}

/**
 * Files that take no space and keep the tool busy for many minutes: the backup of them runs until somebody ends it, and
 * obeys signals after each of them.
 */
export function makeEndlessFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < 4_000; n++) {
    const file = join(folder, `endless-${n}.bin`);
    writeFileSync(file, '');
    truncateSync(file, 128 * 1024 * 1024);
  }
}

/** One of everything that a file system can hold and that is easily got wrong. */
export function makeRemarkable(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const at = (name: string) => join(folder, name);
  for (const name of [remarkable.unicode, remarkable.newline, remarkable.longName, remarkable.optionLike]) {
    writeFileSync(at(name), contentOf(name, 500));
  }
  symlinkSync(remarkable.unicode, at(remarkable.linkToFile));
  symlinkSync('nowhere/at-all', at(remarkable.dangling));
  writeFileSync(at(remarkable.firstName), contentOf('hard', 70_001));
  linkSync(at(remarkable.firstName), at(remarkable.secondName));
  mkdirSync(at(remarkable.emptyFolder));
  makeSparse(at(remarkable.sparse));
  writeFileSync(
    Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff]), Buffer.from('name.bin')]),
    contentOf('bad', 3000),
  );
  mkdirSync(at('a/b/c/d/e/f/g'), { recursive: true });
  writeFileSync(at(remarkable.deep), contentOf('deep', 100));
}

function makeSparse(file: string): void {
  const handle = openSync(file, 'w');
  ftruncateSync(handle, sparseSize);
  writeSync(handle, Buffer.from('in the middle of nothing'), 0, 24, sparseSize / 2);
  closeSync(handle);
}
