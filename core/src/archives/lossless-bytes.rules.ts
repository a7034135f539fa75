import { isUtf8 } from 'node:buffer';

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
