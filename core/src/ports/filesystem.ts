import type { FoundSource } from '@holdfast/plugin-api/driver';

/** What use cases need from the file system of this machine. Paths are absolute. */
export interface FileSystem {
  /**
   * `missing` also when a parent is missing; `denied` when access is denied. Symlinks are followed; a
   * dangling one is `other`.
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
   * told.
   */
  space(path: string): Promise<{ free: number; total: number } | null>;
  /** What a backup tool finds at a path. Reads at most one directory. */
  lookAt(path: string): Promise<FoundSource>;
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
