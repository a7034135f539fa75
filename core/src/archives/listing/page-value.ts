import { promisify } from 'node:util';
import { crc32, deflate, inflate, inflateSync, type ZlibOptions } from 'node:zlib';

/** Values above this are stored compressed. */
const compressedAbove = 102_400;
const raw = 0;
const zlib = 1;
const markBytes = 9;
/** No page comes near it: a value that claims more is damaged. */
const mostBytes = 256 << 20;

/** Up to so many compressed bytes, a fraction of a millisecond, handing them to a thread takes longer than the work. */
const atOnceUpTo = 64 << 10;
/** zlib takes no smaller ones. */
const leastPiece = 64;
const packedPiece = 64 << 10;

const compress = promisify<Buffer, ZlibOptions, Buffer>(deflate);
const decompress = promisify<Uint8Array, ZlibOptions, Buffer>(inflate);

/**
 * Content as the cache keeps it: one marker byte, a checksum of the bytes, the length of the content, then the
 * bytes, compressed or not. The length makes memory of just that size do for unpacking, in one piece.
 */
export async function encodeValue(content: Buffer): Promise<Buffer> {
  const packed = content.length > compressedAbove;
  const body = packed ? await compress(content, { level: 6, chunkSize: packedPiece }) : content;
  const mark = Buffer.allocUnsafe(markBytes);
  mark.writeUInt8(packed ? zlib : raw);
  mark.writeUInt32BE(crc32(body), 1);
  mark.writeUInt32BE(content.length, 5);
  return Buffer.concat([mark, body]);
}

/** The content, not to be changed: the cache may hold it. Null for what isn't such a value, or isn't whole. */
export async function decodeValue(value: unknown): Promise<Buffer | null> {
  if (!(value instanceof Uint8Array) || value.length < markBytes) return null;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  const body = bytes.subarray(markBytes);
  if (bytes.readUInt32BE(1) !== crc32(body)) return null;
  try {
    if (bytes[0] === raw) return body;
    if (bytes[0] !== zlib) return null;
    return await unpack(body, bytes.readUInt32BE(5));
  } catch {
    return null;
  }
}

async function unpack(body: Buffer, length: number): Promise<Buffer | null> {
  if (length > mostBytes) return null;
  // A piece that is filled to its last byte makes zlib get another one.
  const options = { maxOutputLength: length, chunkSize: Math.max(length + 1, leastPiece) };
  const content = body.length <= atOnceUpTo ? inflateSync(body, options) : await decompress(body, options);
  return content.length === length ? content : null;
}
