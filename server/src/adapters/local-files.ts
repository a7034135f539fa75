import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { FileSystem } from '@holdfast/core/server';
import type { FoundSource } from '@holdfast/plugin-api/driver';
import {
  access,
  entriesOf,
  isSilent,
  lstat,
  opens,
  readdir,
  readlink,
  realpath,
  stat,
  statfs,
} from '@holdfast/plugin-api/files';
import { directories } from './directories.js';
import { isMounted, listDisks } from './list-disks.js';
import { listFolder } from './list-folder.js';
import { surveySources } from './survey-sources.js';

const atOnce = 32;
const separator = Buffer.from('/');

export const localFiles: FileSystem = {
  ...directories,
  disks: listDisks,
  isMounted,
  list: listFolder,
  lookAt,
  survey: surveySources,
  async kind(path) {
    try {
      const found = await stat(path);
      if (found.isDirectory()) return 'directory';
      return found.isFile() ? 'file' : 'other';
    } catch (error) {
      if (isDenied(error)) return 'denied';
      if (isSilent(error)) throw error;
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
  space: (path) =>
    Promise.all([statfs(path), stat(path)]).then(
      // Like df: blocks reserved for root count as neither free nor used.
      ([{ bsize, blocks, bfree, bavail }, { dev: device }]) => ({
        free: bavail * bsize,
        total: (blocks - bfree + bavail) * bsize,
        device,
      }),
      () => null,
    ),
  async hasFile(paths) {
    const walk: Walk = { denied: false };
    for await (const _size of fileSizes(paths, walk)) return true;
    return walk.denied;
  },
};

const isDenied = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '');

async function lookAt(path: string): Promise<FoundSource> {
  // Like the backup tool: a trailing slash does not follow a symlink.
  const place = resolve(path);
  try {
    const found = await lstat(place);
    if (found.isSymbolicLink()) {
      const pointsTo = await realPath(resolve(dirname(place), await readlink(place)));
      const toSpecial = await stat(place).then(isSpecial, () => false);
      return { path, state: 'symlink', pointsTo, ...(toSpecial && { toSpecial }) };
    }
    // Opens the file instead of calling `access`, which ignores the capability to read every file.
    if (found.isFile()) await opens(place);
    if (!found.isDirectory()) return { path, state: 'present' };
    const [empty] = await Promise.all([isEmpty(place), lstat(`${place}/.`)]);
    return { path, state: empty ? 'empty' : 'present' };
  } catch (error) {
    if (isDenied(error)) return { path, state: 'unreadable' };
    if (isSilent(error)) return { path, state: 'silent' };
    const { code } = error as NodeJS.ErrnoException;
    return { path, state: code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unknown' };
  }
}

const isSpecial = (found: Stats) => found.isBlockDevice() || found.isCharacterDevice() || found.isFIFO();

async function isEmpty(folder: string): Promise<boolean> {
  for await (const _ of entriesOf(folder, 1)) return false;
  return true;
}

async function realPath(path: string): Promise<string> {
  const whole = resolve(path);
  const rest: string[] = [];
  for (let part = whole; ; part = dirname(part)) {
    const real = await realpath(part).catch((error) => (isSilent(error) ? part : null));
    if (real !== null) return join(real, ...rest);
    if (part === dirname(part)) return whole;
    rest.unshift(basename(part));
  }
}

/** Buffers, because names may not be valid UTF-8. */
type Path = string | Buffer;

interface Walk {
  /** Access to a file or folder was denied, or did not end. */
  denied: boolean;
}

/**
 * Yields the sizes of the regular files at and below the paths, without following symlinks. Skips what can't
 * be read.
 */
async function* fileSizes(paths: readonly string[], walk: Walk = { denied: false }): AsyncGenerator<number> {
  const folders: Path[] = [];
  for (const path of paths) {
    const found = await statsOf(path, walk);
    if (found?.isFile()) yield found.size;
    if (found?.isDirectory()) folders.push(path);
  }
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    yield* sizesIn(folder, folders, walk);
  }
}

/** Yields the sizes in one folder and adds the folders in it to `folders`. */
async function* sizesIn(folder: Path, folders: Path[], walk: Walk): AsyncGenerator<number> {
  let batch: Path[] = [];
  try {
    for await (const entry of entriesOf(folder)) {
      const path = Buffer.concat([Buffer.from(folder), separator, entry.name]);
      if (entry.isDirectory()) folders.push(path);
      if (entry.isFile()) batch.push(path);
      if (batch.length < atOnce) continue;
      yield* await sizesOf(batch, walk);
      batch = [];
    }
  } catch (error) {
    // A folder that was removed during the walk counts as empty.
    walk.denied ||= isDenied(error) || isSilent(error);
  }
  yield* await sizesOf(batch, walk);
}

const statsOf = (path: Path, walk: Walk) =>
  lstat(path).catch((error: unknown) => {
    walk.denied ||= isDenied(error) || isSilent(error);
    return null;
  });

const sizesOf = async (files: Path[], walk: Walk): Promise<number[]> => {
  const found = await Promise.all(files.map((file) => statsOf(file, walk)));
  return found.flatMap((stats) => (stats?.isFile() ? [stats.size] : []));
};
