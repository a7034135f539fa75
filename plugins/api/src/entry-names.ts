import { isUtf8 } from 'node:buffer';

/** Normalises the ways in which tools write a path (`./a`, `a//b`, `/a/`). The root is the empty string. */
export function canonicalPath(toolPath: string): string {
  if (!/(^|\/)(\.?)(\/|$)/.test(toolPath)) return toolPath;
  return toolPath
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

/** PATH_MAX on Linux, without the terminating NUL. */
const longest = 4095;

/**
 * Why a path from an untrusted source must not be used, or null. Untrusted sources are archives, tar streams, hosts
 * and repositories. The path is the name of an entry or the target of a hard link.
 */
export function problemOfName(path: string): string | null {
  if (path.length > longest) return `is longer than ${longest} characters`;
  if (path.includes('\0')) return 'contains a NUL character';
  if (path.startsWith('/')) return 'begins with a slash';
  return path.includes('..') && path.split('/').includes('..') ? 'contains a ".." segment' : null;
}

/** The bytes of a name. A lone surrogate U+DC00 + byte becomes that byte. */
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
