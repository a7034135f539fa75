import type { BigIntStats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bytesOfName } from '@holdfast/plugin-api/driver';
import { lstat, statfs } from '@holdfast/plugin-api/files';
import { joinPath } from '../../archives/index.js';
import type { ReservedPlaces } from '../../repositories/index.js';
import type { Owner, OwnerThere } from '../owners.rules.js';
import type { TargetStamp } from '../restore.rules.js';
import type { Lack } from './lacks.rules.js';

/** The fields of `lstat` that a restore uses. */
export interface PathStats {
  dev: bigint;
  ino: bigint;
  ctimeNs: bigint;
  mtimeNs: bigint;
  size: bigint;
  mode: bigint;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/**
 * The machine that receives the files of a restore. Paths are absolute, with undecodable bytes as lone
 * surrogates.
 */
export interface RestoreTarget {
  /** `user@host`; null for this machine. */
  readonly host: string | null;
  /** Whether the service can change the owner of files. */
  readonly canSetOwners: boolean;
  readonly reserved: ReservedPlaces;
  /** Null if it does not exist, or if a parent is not a directory. */
  look(path: string): Promise<PathStats | null>;
  /** Limitations of the file system of a directory. */
  lacks(directory: string): Promise<Lack[]>;
  whoIs(owner: Owner): Promise<OwnerThere>;
  /** Free bytes below a directory. */
  freeBytes(directory: string): Promise<number>;
  /** Throws AppError `invalid` for a folder that can't be restored into. */
  checkDestination(path: string): Promise<void>;
  /** Closes open connections and clears the cache. May be used again. */
  close(): Promise<void>;
}

export const identityOf = ({ dev, ino }: Pick<PathStats, 'dev' | 'ino'>): string => `${dev}:${ino}`;

/** Null if it does not exist, or if a parent is not a directory. */
export async function look(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(bytesOfName(path), { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

export const isDenied = (error: unknown): boolean =>
  ['EACCES', 'EPERM'].includes(`${(error as NodeJS.ErrnoException).code}`);

/** Changes with the content, attributes or location; for a directory also with added or removed entries. */
export const stampOf = (stats: PathStats | null): string | null =>
  stats && `${stats.dev}:${stats.ino}:${stats.ctimeNs}`;

/** The first path that has changed, or null. */
export async function changedSince(
  target: Pick<RestoreTarget, 'look'>,
  stamps: readonly TargetStamp[],
): Promise<string | null> {
  for (const { path, stamp } of stamps) {
    const there = await target.look(path).catch((error: unknown) => {
      if (isDenied(error)) return undefined;
      throw error;
    });
    if (there === undefined) return path;
    const isIdentity = stamp !== null && stamp.split(':').length === 2;
    const now = there && isIdentity ? identityOf(there) : stampOf(there);
    if (now !== stamp) return path;
  }
  return null;
}

/** The path itself or the nearest existing directory above it. */
export async function existingAbove(target: Pick<RestoreTarget, 'look'>, path: string): Promise<string> {
  for (let each = path; ; each = dirname(each)) {
    const stats = await target.look(each);
    if (stats?.isDirectory() || each === '/') return each;
  }
}

/** Bytes that this process can still write. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(bytesOfName(directory));
  return bavail * bsize;
}

/** Boot id of the running kernel; empty when unavailable. */
export const bootId = async (): Promise<string> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();

/** An absolute path below a folder. */
export const below = (folder: string, path: string): string =>
  folder === '/' ? `/${path}` : joinPath(folder, path);

/** Only root can set owners; files restored by others belong to the user of the service. */
export const canSetOwners = (): boolean => process.getuid?.() === 0;
