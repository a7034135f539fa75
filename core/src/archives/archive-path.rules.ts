import { invalid } from '../kernel/errors.js';

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

/** The same place for every way a tool writes a path (`./a`, `a//b`, `/a/`); `.` is the root, the empty text. */
export function canonicalPath(toolPath: string): string {
  if (!/(^|\/)(\.?)(\/|$)/.test(toolPath)) return toolPath;
  return toolPath
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** The directory that holds the path; the root's own is the root. */
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const baseNameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

export const joinPath = (directory: string, name: string): string =>
  directory === '' ? name : `${directory}/${name}`;
