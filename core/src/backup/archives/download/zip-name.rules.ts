import { bytesOfName } from '@holdfast/plugin-api/driver';

/** The paths without those inside another one. The root is the empty string. */
export function outermost(paths: readonly string[]): string[] {
  if (paths.includes('')) return [''];
  const all = new Set(paths);
  return [...all].filter((path) => {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) {
      if (all.has(path.slice(0, at))) return false;
    }
    return true;
  });
}

const percent = (text: string): string =>
  [...bytesOfName(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

/**
 * A name that every unpacker of zip files takes and that stays below its folder: bytes that are not UTF-8, control
 * characters and backslashes are percent-encoded, and so are segments that lead elsewhere. A name that needs nothing of
 * this stays as it is. No name gives the empty string.
 */
export function zipName(name: string): string {
  const parts = name.replace(/[\p{Cc}\p{Surrogate}\\]/gu, percent).split('/');
  return parts
    .filter((part) => part !== '')
    .map((part) => (/^\.{1,2}$/.test(part) ? percent(part) : part))
    .join('/');
}
