import type { ArchiveEntry } from '@holdfast/plugin-api/driver';

/** What stays known of the contents of archives. All of it can be read again from the repository. */
export interface ArchiveIndexes {
  /** Of all repositories together; 0: there is no index. */
  readonly maxBytes: number;
  /**
   * The index of one Borg repository, by its id. A file that is damaged, of another format, or of another repository is
   * made again, with a line in the log. Throws the error of the file system.
   */
  open(repositoryToolId: string): Promise<ArchiveIndex>;
  /** Bytes on disk, by id of the repository. */
  sizes(): Promise<ReadonlyMap<string, number>>;
  remove(repositoryToolId: string): Promise<void>;
  close(): Promise<void>;
}

/** Of an installation that has none. */
export const noIndexes: ArchiveIndexes = {
  maxBytes: 0,
  open: () => Promise.reject(new Error('There is no index of archives.')),
  sizes: async () => new Map(),
  remove: async () => undefined,
  close: async () => undefined,
};

export interface ArchiveIndex {
  /** Oldest first. */
  archives(): Promise<IndexedArchive[]>;
  /** What `add` returned for an archive; null when it is not there. */
  find(toolId: string): Promise<AddedArchive | null>;
  /**
   * Adds an archive, or nothing if it rejects. When it was there already, as if it had been added then. Throws `IndexFull`
   * when it would take more than `maxBytes`.
   */
  add(
    archive: NewArchive,
    entries: AsyncIterable<ArchiveEntry[]>,
    options?: { signal?: AbortSignal; maxBytes?: number },
  ): Promise<AddedArchive>;
  /** By ids of the tool; unknown ones are left alone. Gives the space back. */
  remove(toolIds: readonly string[]): Promise<void>;
  /** Everything in one archive, as the tool would list it; parents first. Throws Error when it is not indexed. */
  entries(toolId: string, signal?: AbortSignal): AsyncIterable<ArchiveEntry[]>;
  search(search: PathSearch): Promise<FoundPaths>;
  /** Each different entry once, by the oldest archive that has it. Null when no indexed archive has the path. */
  history(path: string): Promise<PathVersion[] | null>;
  /** Files of which no archive but these has any version. */
  lost(removed: readonly string[], signal?: AbortSignal): Promise<LostFiles>;
  changes(
    pair: { before: string; after: string },
    page: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<IndexedChanges>;
  /** How the folders directly below `parent` grew, the largest change first; files of `parent` itself under its own path. */
  growth(
    pair: { before: string; after: string; parent: string },
    signal?: AbortSignal,
  ): Promise<FolderGrowth[]>;
}

export class IndexFull extends Error {}

export interface NewArchive {
  toolId: string;
  name: string;
  hostname: string;
  /** Milliseconds. */
  start: number;
}

export interface IndexedArchive {
  toolId: string;
  start: number;
  entries: number;
}

export interface AddedArchive {
  entries: number;
  /** Compared with the archive before it in its series; null without one. */
  delta: ArchiveDelta | null;
}

/** Counts of regular files. */
export interface ArchiveDelta {
  /** Id of the archive before. */
  before: string;
  filesBefore: number;
  added: number;
  changed: number;
  removed: number;
  /** Of the removed: those for which the folder got a file with an extension more, or another one. */
  renamed: number;
  /** With most changed and removed files first; at most 20. */
  folders: { path: string; changed: number; removed: number; examples: string[] }[];
}

/** An entry of an archive; `size` of a directory is 0. */
export interface IndexedEntry {
  path: string;
  type: ArchiveEntry['type'];
  size: number;
  /** Milliseconds; null for a directory that has no entry of its own. */
  mtime: number | null;
  symlinkTarget: string | null;
  healthy: boolean;
}

export interface PathVersion {
  entry: IndexedEntry;
  /** Ids of the archives that have it, oldest first. */
  archives: string[];
}

export interface PathSearch {
  /** A text that the name of each match has, composed (NFC); may be empty. */
  literal: string;
  matches(directory: string, name: string): boolean;
  /** Of some version. */
  type?: ArchiveEntry['type'];
  minSize?: number;
  maxSize?: number;
  /** Modified in [since, until), milliseconds. */
  since?: number;
  until?: number;
  /** Only paths that the newest archive of no series has. */
  deleted?: boolean;
  /** Where a page before ended. */
  after?: number;
  limit: number;
  /** True when the time is over: the page then ends early. */
  isOver?(): boolean;
  signal?: AbortSignal;
}

export interface FoundPaths {
  items: { path: string; versions: PathVersion[] }[];
  /** For `after`; null at the end. */
  next: number | null;
}

export interface LostFiles {
  files: number;
  bytes: number;
  /** At most 20, with the newest archive that has it. */
  largest: { path: string; size: number; archive: string }[];
  /** Of the first level at which they divide; the largest first, at most 20. */
  folders: { path: string; files: number; bytes: number }[];
}

export interface IndexedChanges {
  added: number;
  removed: number;
  changed: number;
  /** In a stable order. A directory is never changed, only added or removed. */
  items: { path: string; before: IndexedEntry | null; after: IndexedEntry | null }[];
}

export interface FolderGrowth {
  path: string;
  /** After minus before. */
  bytes: number;
  files: number;
}
