import type { FoundSource } from '@holdfast/plugin-api/driver';

export interface FolderEntry {
  /** Bytes that are not UTF-8 are represented as lone surrogates. */
  name: string;
  type: 'directory' | 'file' | 'symlink' | 'other';
  /** Bytes; null unless it is a file. */
  size: number | null;
  /** Milliseconds since the epoch; null when it can't be read. */
  modified: number | null;
  /** Permission bits (07777); null when they can't be read. */
  mode: number | null;
  /** Null for symlinks and special files, which are not opened. */
  readable: boolean | null;
  /** A folder with a Borg repository. */
  repository: boolean;
}

export interface FolderListing {
  /** Folders first, then by name. */
  entries: FolderEntry[];
  /** There are more entries than `limit`. */
  truncated: boolean;
  repository: boolean;
  freeBytes: number | null;
  mount: string | null;
}

/** A file system that repositories could be on. Bytes of paths that are not UTF-8 are lone surrogates. */
export interface Disk {
  /** Where a repository can be made. */
  mount: string;
  /** All mount points. */
  mounts: string[];
  type: string;
  network: boolean;
  /** Null when nothing is known of its disks. */
  removable: boolean | null;
  writable: boolean;
  /** Bytes, as `space` has them; null when it does not answer. */
  total: number | null;
  free: number | null;
  /** Names of the physical disks, or of the pool; empty when they are not known. */
  devices: string[];
}

/** What was found so far. */
export interface SourceTally {
  files: number;
  bytes: number;
  symlinks: number;
  unreadable: number;
  /** The first few, with bytes that are not UTF-8 as lone surrogates. */
  unreadablePaths: string[];
  /** The first mount points and subvolumes that were not entered. */
  otherFileSystems: string[];
  /** Of the groups that `groupOf` named. They count in `files` and `bytes`, too. */
  groups: Map<string, { files: number; bytes: number }>;
}

/** Counts a file. */
export function addFile(tally: SourceTally, size: number, group: string | null): void {
  tally.files += 1;
  tally.bytes += size;
  if (group === null) return;
  const of = tally.groups.get(group) ?? { files: 0, bytes: 0 };
  tally.groups.set(group, { files: of.files + 1, bytes: of.bytes + size });
}

/** What use cases need from the file system of this machine. Paths are absolute. */
export interface FileSystem {
  /**
   * `missing` also when a parent is missing; `denied` when access is denied. Symlinks are followed; a
   * dangling one is `other`. Rejects when its file system does not answer.
   */
  kind(path: string): Promise<'missing' | 'file' | 'directory' | 'other' | 'denied'>;
  /** True when the service may create entries in this existing directory. */
  writable(directory: string): Promise<boolean>;
  isEmptyDirectory(path: string): Promise<boolean>;
  /** The path with symlinks resolved as far as it exists; the missing rest is appended unchanged. */
  realPath(path: string): Promise<string>;
  /**
   * Total size of regular files below the paths, in bytes. Symlinks are not followed; unreadable folders
   * count as empty.
   */
  measure(paths: readonly string[], signal: AbortSignal): Promise<number>;
  /**
   * Bytes that the service can still write at a path, and the total that it can use there; null when this can't be
   * told. Paths of one file system have the same `device`.
   */
  space(path: string): Promise<{ free: number; total: number; device: number } | null>;
  /** File systems of this machine, at most 32. Mount points in the folder `without` are not proposed. Never rejects. */
  disks(without: string): Promise<Disk[]>;
  /** Whether a path is a mount point, or a file system, as `UUID=…`, is mounted anywhere. */
  isMounted(what: string): boolean;
  /** What a backup tool finds at a path. Reads at most one directory. */
  lookAt(path: string): Promise<FoundSource>;
  /** The entries of a folder. Rejects with the error of the system (`code`). */
  list(path: string, options: { limit: number }): Promise<FolderListing>;
  /**
   * Counts in `tally` what a backup of the paths would read. Symlinks are not followed, and nothing is read. Excluded
   * paths are left out with all below them. Ends early, without an error, when `signal` is aborted.
   */
  survey(
    paths: readonly string[],
    options: {
      tally: SourceTally;
      excluded(path: string): boolean;
      /** The group of a path and of all below it. */
      groupOf?(path: string): string | null;
      oneFileSystem?: boolean;
      /** Only looks for other file systems. */
      foldersOnly?: boolean;
      signal: AbortSignal;
    },
  ): Promise<void>;
  /** True when there is a regular file at or below the paths, or something unreadable that may be one. */
  hasFile(paths: readonly string[]): Promise<boolean>;
  /**
   * Creates a directory with its missing parents (mode 700). Returns the created ones, outermost first. When
   * it rejects, none of them remains.
   */
  makeDirectories(path: string): Promise<string[]>;
  /** Removes those of these directories that are empty, last first. Never rejects. */
  removeEmptyDirectories(paths: readonly string[]): Promise<void>;
  /** Removes the contents of a directory but not the directory itself. Symlinks are not followed. */
  removeContents(directory: string): Promise<void>;
}
