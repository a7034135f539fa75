import type { BigIntStats } from 'node:fs';
import { lstat, readFile, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { bytesOfName } from '@holdfast/plugin-api/driver';
import { joinPath } from '../../archives/index.js';
import type { ReservedPlaces } from '../../repositories/index.js';
import type { TargetStamp } from '../restore.rules.js';

/** What stands in a place, symlinks not followed: what a restore reads of `lstat`. */
export interface Standing {
  dev: bigint;
  ino: bigint;
  ctimeNs: bigint;
  size: bigint;
  mode: bigint;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The machine on which the files of a restore are to stand. Paths are absolute, undecodable bytes lone surrogates. */
export interface RestoreTarget {
  /** `user@host`; null for this machine. */
  readonly host: string | null;
  /** Whether files can be given to other users there. */
  readonly canSetOwners: boolean;
  readonly reserved: ReservedPlaces;
  /** Null when nothing is there, also when what should be a directory above is none. */
  look(path: string): Promise<Standing | null>;
  /** Bytes that may still be written below a directory. */
  freeBytes(directory: string): Promise<number>;
  /** AppError `invalid` for a folder that can't be restored into. */
  checkDestination(path: string): Promise<void>;
  /** Ends what it holds open and forgets what it saw; may be used again. */
  close(): Promise<void>;
}

export const identityOf = ({ dev, ino }: Pick<Standing, 'dev' | 'ino'>): string => `${dev}:${ino}`;

/** Null when nothing is there, also when what should be a directory above is none. */
export async function look(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(bytesOfName(path), { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** A change of content, attributes or place gives another stamp; for a directory also a new or removed entry. */
export const stampOf = (stats: Standing | null): string | null =>
  stats && `${stats.dev}:${stats.ino}:${stats.ctimeNs}`;

/** The first of these places where something else is now, or null. */
export async function changedSince(
  target: Pick<RestoreTarget, 'look'>,
  stamps: readonly TargetStamp[],
): Promise<string | null> {
  for (const { path, stamp } of stamps) if (stampOf(await target.look(path)) !== stamp) return path;
  return null;
}

/** The path itself or the next directory above it that is there. */
export async function existingAbove(target: Pick<RestoreTarget, 'look'>, path: string): Promise<string> {
  for (let each = path; ; each = dirname(each)) {
    const stats = await target.look(each);
    if (stats?.isDirectory() || each === '/') return each;
  }
}

/** Bytes that this process may still write. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(bytesOfName(directory));
  return bavail * bsize;
}

/** The running kernel's own name; empty where it has none. */
export const bootId = async (): Promise<string> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')).trim();

/** An absolute path below a folder. */
export const below = (folder: string, path: string): string =>
  folder === '/' ? `/${path}` : joinPath(folder, path);

/** Only root can give a file to somebody else; the files of anybody else's restore are their own. */
export const canSetOwners = (): boolean => process.getuid?.() === 0;
