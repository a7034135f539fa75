import { isUtf8 } from 'node:buffer';

/** The same place for every way a tool writes a path (`./a`, `a//b`, `/a/`); `.` is the root, the empty text. */
export function canonicalPath(toolPath: string): string {
  if (!/(^|\/)(\.?)(\/|$)/.test(toolPath)) return toolPath;
  return toolPath
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** PATH_MAX of Linux, without the NUL at its end. */
const longest = 4095;

/**
 * Why a path that a stranger wrote must not be followed, or null. Strangers are archives, tar streams, hosts and
 * repositories; a path is what an entry is called, or the file of which a hard link is to be a further name.
 */
export function problemOfName(path: string): string | null {
  if (path.length > longest) return `is longer than ${longest} characters`;
  if (path.includes('\0')) return 'has a NUL character';
  if (path.startsWith('/')) return 'begins with a slash';
  return path.includes('..') && path.split('/').includes('..') ? 'has ".." as a part' : null;
}

/** The bytes of a name in which a byte that isn't UTF-8 stands as the lone surrogate U+DC00 + byte. */
export function bytesOfName(name: string): Buffer {
  const pieces: Buffer[] = [];
  for (const part of name.split(/([\udc80-\udcff])/u)) {
    const code = part.length === 1 ? part.charCodeAt(0) : 0;
    pieces.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(part));
  }
  return Buffer.concat(pieces);
}

export function nameOfBytes(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((n) => at + n <= bytes.length && isUtf8(bytes.subarray(at, at + n)));
    name += length ? bytes.toString('utf8', at, at + length) : String.fromCharCode(0xdc00 + (bytes[at] ?? 0));
    at += length ?? 1;
  }
  return name;
}
