import { posix } from 'node:path';
import { say } from '@holdfast/plugin-api';
import { invalid } from './errors.js';

const maxBytes = { path: 4000, part: 255 };

/** True when `inner` is `outer` or lies below it. Both absolute and normalised. */
export function contains(outer: string, inner: string): boolean {
  return inner === outer || inner.startsWith(outer === '/' ? '/' : `${outer}/`);
}

/** Absolute path without `.` segments and trailing slash. */
export const normalised = (path: string): string => withoutEndSlash(posix.normalize(path));

export const withoutEndSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;

/** Throws AppError `invalid` for text that can't be used as a path. */
export function requireValidPath(field: string, path: string): void {
  if (/[\0\r\n]/.test(path))
    throw invalid(say`path_has_line_breaks: ${{ field }} must not contain NUL or line breaks.`);
  if (/\p{Surrogate}/u.test(path))
    throw invalid(say`path_not_unicode: ${{ field }} must be well-formed Unicode.`);
  const parts = path.split('/');
  if (parts.includes('..'))
    throw invalid(say`path_has_dots: ${{ field }} must not contain "..": give the path without it.`);
  const tooLong =
    Buffer.byteLength(path) > maxBytes.path || parts.some((part) => Buffer.byteLength(part) > maxBytes.part);
  if (tooLong) {
    throw invalid(
      say`path_too_long: ${{ field }} is too long: at most ${{ limit: maxBytes.path }} bytes, and ${{ segment_limit: maxBytes.part }} for each segment.`,
    );
  }
}
