import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { invalid } from '../kernel/index.js';

export type EntryType = ArchiveEntry['type'];

/** One entry of a directory, as a listing keeps it. */
export interface ListedEntry {
  name: string;
  type: EntryType;
  /** Bytes: of a directory the sum below it, of a further name of a hard-linked file its target's. */
  size: number;
  /** Milliseconds since the epoch; null for a directory that the archive only implies. */
  mtime: number | null;
  /** The first name of a hard-linked file, as the tool writes it. */
  hardLinkTarget: string | null;
  symlinkTarget: string | null;
  /** False when the tool reports damage. */
  healthy: boolean;
  /** The path to ask the tool for; null when it is the directory and the name joined. */
  toolPath: string | null;
}

/**
 * A path inside an archive as callers write it, without slashes around it; the root is the empty text.
 * AppError `invalid` for `.`, `..`, NUL and empty parts.
 */
export function parseArchivePath(text: string, parameter: string): string {
  if (text.includes('\0')) throw invalid(`${parameter} must not hold a NUL character.`);
  const path = text.replace(/^\//, '').replace(/\/$/, '');
  if (path === '') {
    if (text.length > 1) throw invalid(`${parameter} must not have empty parts: write the root as "".`);
    return '';
  }
  for (const part of path.split('/')) {
    if (part === '') throw invalid(`${parameter} must not have empty parts (two slashes in a row).`);
    if (part === '.' || part === '..') {
      throw invalid(
        `${parameter} must not have "." or ".." as a part: name the path from the archive's root.`,
      );
    }
  }
  return path;
}

/** The directory that holds the path; the root's own is the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const joinPath = (directory: string, name: string): string =>
  directory === '' ? name : `${directory}/${name}`;
