import type { EntryType, ListedEntry } from '../archive-entry.rules.js';

/** Raised when pages or header change their form: listings of another form are built again. */
export const listingFormat = 5;

/** What a listing is: kept under the archive's own key, written when all its pages are stored. */
export interface ListingHeader {
  format: number;
  /** Random; stands in each page too, so that pages of two builds never mix. */
  build: string;
  /** The tool's id of the archive that was listed. */
  archiveId: string;
  /** The repository's mark when the build began: with another one the listing is not to be used. */
  epoch: number;
  /** Without the root. */
  entries: number;
  directories: number;
  /**
   * Pages that a hash of the directory's path selects. A power of two, here and for large directories, so that pages of
   * two listings can be compared with each other.
   */
  hashedPages: number;
  /** Directories with pages of their own: escaped path, first page, number of pages. */
  large: [directory: string, firstPage: number, pages: number][];
}

/** `[name, type, size, mtime, more?]`: short, for there may be a million of them. */
export type EntryRecord = [string, number, number, number | null, RecordExtras?];

export interface RecordExtras {
  /** First name of a hard-linked file. */
  h?: string;
  /** Target of a symlink. */
  s?: string;
  /** The tool's own path where it isn't directory and name joined. */
  p?: string;
  /** Damaged. */
  d?: 1;
}

const types: readonly EntryType[] = ['directory', 'file', 'symlink', 'other'];
export const directoryCode = 0;
export const typeCode = (type: EntryType): number => types.indexOf(type);

export const listingKey = (repositoryId: number, archiveName: string): string =>
  `archive:${repositoryId}:${archiveName}`;

/** A slash can't occur in an archive's name. */
export const pageKey = (key: string, page: number): string => `${key}/${page}`;

export function entryOf([name, code, size, mtime, extras = {}]: EntryRecord): ListedEntry {
  return {
    name,
    type: types[code] ?? 'other',
    size,
    mtime,
    hardLinkTarget: extras.h ?? null,
    symlinkTarget: extras.s ?? null,
    healthy: extras.d !== 1,
    toolPath: extras.p ?? null,
  };
}
