import type { ReservedPlaces } from '../../repositories/reserved-places.rules.js';

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
