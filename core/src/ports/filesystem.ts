import type { FoundSource } from '@holdfast/plugin-api/driver';

/** What use cases need to know of this machine's file system. Paths are absolute. */
export interface FileSystem {
  /** `missing` also when a parent is missing; `denied` when it can't be looked at. Symlinks are followed; one that leads nowhere is `other`. */
  kind(path: string): Promise<'missing' | 'file' | 'directory' | 'other' | 'denied'>;
  /** True when the service may create entries in this existing directory. */
  writable(directory: string): Promise<boolean>;
  isEmptyDirectory(path: string): Promise<boolean>;
  /** The path with its symlinks resolved as far as it exists; the missing rest is appended as it stands. */
  realPath(path: string): Promise<string>;
  /** Sum over regular files below the paths, symlinks not followed; unreadable folders count as empty. Bytes. */
  measure(paths: readonly string[], signal: AbortSignal): Promise<number>;
  /** What a backup tool finds at a path, with no more than one look into a folder. */
  lookAt(path: string): Promise<FoundSource>;
  /** True as soon as one regular file is found at or below the paths, or something that can't be read: it may be one. */
  hasFile(paths: readonly string[]): Promise<boolean>;
  /**
   * Makes a directory with its missing parents (mode 700). Returns those that this call made, outermost first.
   * Rejects when it can't; then none of them remains.
   */
  makeDirectories(path: string): Promise<string[]>;
  /** Removes these directories as far as they are empty, the last first. Never rejects. */
  removeEmptyDirectories(paths: readonly string[]): Promise<void>;
  /** Removes everything below a directory, not the directory itself; symlinks are not followed. */
  removeContents(directory: string): Promise<void>;
}
