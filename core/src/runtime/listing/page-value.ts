import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';

/** Values above this are stored compressed. */
const compressedAbove = 102_400;
const raw = 0;
const zlib = 1;

const compress = promisify<Buffer, { level: number }, Buffer>(deflate);
const decompress = promisify<Uint8Array, Buffer>(inflate);

/** A JSON value as the cache keeps it: one marker byte, then UTF-8 text, compressed or not. */
export async function encodeValue(value: unknown): Promise<Buffer> {
  const text = Buffer.from(JSON.stringify(value));
  const packed = text.length > compressedAbove;
  return Buffer.concat([Buffer.of(packed ? zlib : raw), packed ? await compress(text, { level: 6 }) : text]);
}

/** Null for what isn't such a value. */
export async function decodeValue(value: unknown): Promise<unknown> {
  if (!(value instanceof Uint8Array)) return null;
  const body = value.subarray(1);
  try {
    if (value[0] === raw) return JSON.parse(Buffer.from(body).toString());
    if (value[0] === zlib) return JSON.parse((await decompress(body)).toString());
    return null;
  } catch {
    return null;
  }
}
