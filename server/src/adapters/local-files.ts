import { constants, type Dirent } from 'node:fs';
import { access, lstat, opendir, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { FileSystem } from '@holdfast/core/server';
import { directories } from './directories.js';

const atOnce = 32;
const separator = Buffer.from('/');

export const localFiles: FileSystem = {
  ...directories,
  async kind(path) {
    try {
      const found = await stat(path);
      if (found.isDirectory()) return 'directory';
      return found.isFile() ? 'file' : 'other';
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EPERM') return 'denied';
      return lstat(path).then(
        () => 'other' as const,
        () => 'missing' as const,
      );
    }
  },
  writable: (directory) =>
    access(directory, constants.W_OK | constants.X_OK).then(
      () => true,
      () => false,
    ),
  isEmptyDirectory: (path) =>
    readdir(path).then(
      (names) => names.length === 0,
      () => false,
    ),
  realPath,
  async measure(paths, signal) {
    let total = 0;
    for await (const size of fileSizes(paths)) {
      signal.throwIfAborted();
      total += size;
    }
    return total;
  },
  async hasFile(paths) {
    for await (const _size of fileSizes(paths)) return true;
    return false;
  },
};

async function realPath(path: string): Promise<string> {
  const whole = resolve(path);
  const rest: string[] = [];
  for (let part = whole; ; part = dirname(part)) {
    const real = await realpath(part).catch(() => null);
    if (real !== null) return join(real, ...rest);
    if (part === dirname(part)) return whole;
    rest.unshift(basename(part));
  }
}

/** Names as bytes: not all of them are valid UTF-8. */
type Path = string | Buffer;

/**
 * Sizes of the regular files at and below the paths, symlinks not followed. What can't be read is left out.
 */
async function* fileSizes(paths: readonly string[]): AsyncGenerator<number> {
  const folders: Path[] = [];
  for (const path of paths) {
    const found = await lstat(path).catch(() => null);
    if (found?.isFile()) yield found.size;
    if (found?.isDirectory()) folders.push(path);
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    yield* sizesIn(folder, folders);
  }
}

/** Yields the sizes in one folder and adds the folders in it to `folders`. */
async function* sizesIn(folder: Path, folders: Path[]): AsyncGenerator<number> {
  let batch: Path[] = [];
  try {
    for await (const { name, entry } of entriesOf(folder)) {
      const path = Buffer.concat([Buffer.from(folder), separator, name]);
      if (entry.isDirectory()) folders.push(path);
      if (entry.isFile()) batch.push(path);
      if (batch.length < atOnce) continue;
      yield* await sizesOf(batch);
      batch = [];
    }
  } catch {
    // A folder that can't be read, or that vanished meanwhile, counts as empty.
  }
  yield* await sizesOf(batch);
}

async function* entriesOf(folder: Path): AsyncGenerator<{ name: Buffer; entry: Dirent }> {
  // Node takes the encoding `buffer` here and then gives names as Buffers; its types know neither.
  const options = { bufferSize: 256, encoding: 'buffer' as BufferEncoding };
  for await (const entry of await opendir(folder as string, options)) {
    yield { name: entry.name as unknown as Buffer, entry };
  }
}

const sizesOf = async (files: Path[]): Promise<number[]> => {
  const found = await Promise.all(files.map((file) => lstat(file).catch(() => null)));
  return found.flatMap((stats) => (stats?.isFile() ? [stats.size] : []));
};
