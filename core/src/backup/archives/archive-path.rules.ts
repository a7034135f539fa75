import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { invalid, say } from '../../foundation/kernel/index.js';

export type EntryType = ArchiveEntry['type'];

/** One entry of a directory in a listing. */
export interface ListedEntry {
  name: string;
  type: EntryType;
  /** Bytes. For a directory the sum below it, for another name of a hard-linked file the size of its target. */
  size: number;
  /** Milliseconds since the epoch; null for a directory that has no entry of its own in the archive. */
  mtime: number | null;
  /** The first name of a hard-linked file, in the format of the tool. */
  hardLinkTarget: string | null;
  symlinkTarget: string | null;
  /** False when the tool reports damage. */
  healthy: boolean;
  /** The path to pass to the tool; null when it is directory and name joined. */
  toolPath: string | null;
}

/**
 * Parses a path inside an archive and removes the slashes around it; the root is the empty string. Throws AppError
 * `invalid` for `.`, `..`, NUL and empty segments.
 */
export function parseArchivePath(text: string, parameter: string): string {
  if (text.includes('\0'))
    throw invalid(say`archive_path_has_nul: ${{ parameter }} must not contain a NUL character.`);
  const path = text.replace(/^\//, '').replace(/\/$/, '');
  if (path === '') {
    if (text.length > 1)
      throw invalid(
        say`archive_path_is_slashes: ${{ parameter }} must not have empty segments: write the root as "".`,
      );
    return '';
  }
  for (const part of path.split('/')) {
    if (part === '')
      throw invalid(
        say`archive_path_has_double_slash: ${{ parameter }} must not have empty segments (two slashes in a row).`,
      );
    if (part === '.' || part === '..') {
      throw invalid(
        say`archive_path_has_dots: ${{ parameter }} must not contain "." or ".." as a segment: give the path from the root of the archive.`,
      );
    }
  }
  return path;
}

/** The parent directory of the path; the parent of the root is the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const joinPath = (directory: string, name: string): string =>
  directory === '' ? name : `${directory}/${name}`;
