import { promisify } from 'node:util';
import { crc32, deflate, inflate, inflateSync, type ZlibOptions } from 'node:zlib';
import type { EntryType, ListedEntry } from '../archive-path.rules.js';

/** Raised when pages or header change their form: listings of another form are built again. */
export const listingFormat = 6;

/** The header of a listing, stored under the key of the archive after all its pages. */
export interface ListingHeader {
  format: number;
  /** Random; also stored in each page, so that pages of two builds never mix. */
  build: string;
  /** The tool's id of the archive that was listed. */
  archiveId: string;
  /** The repository's mark when the build began: with another one the listing is not to be used. */
  epoch: number;
  /** Without the root. */
  entries: number;
  directories: number;
  /** Pages that a hash of the directory's path selects. A power of two: pages of two listings can be compared. */
  hashedPages: number;
  /**
   * Directories with separate pages: path, first page, order key at the start of each further page, entries
   * per page.
   */
  large: [directory: string, firstPage: number, bounds: string[], counts: number[]][];
}

/** `[name, type, size, mtime, more?]`: short, for there may be a million of them. */
export type EntryRecord = [string, number, number, number | null, RecordExtras?];

export interface RecordExtras {
  /** First name of a hard-linked file. */
  h?: string;
  /** Target of a symlink. */
  s?: string;
  /** The tool's own path where it isn't directory and name joined. */
  p?: string;
  /** Damaged. */
  d?: 1;
}

const types: readonly EntryType[] = ['directory', 'file', 'symlink', 'other'];
export const directoryCode = 0;
export const typeCode = (type: EntryType): number => types.indexOf(type);

export const listingKey = (repositoryId: number, archiveName: string): string =>
  `archive:${repositoryId}:${archiveName}`;

/** A slash can't occur in an archive's name. */
export const pageKey = (key: string, page: number): string => `${key}/${page}`;

export function entryOf([name, code, size, mtime, extras = {}]: EntryRecord): ListedEntry {
  return {
    name,
    type: types[code] ?? 'other',
    size,
    mtime,
    hardLinkTarget: extras.h ?? null,
    symlinkTarget: extras.s ?? null,
    healthy: extras.d !== 1,
    toolPath: extras.p ?? null,
  };
}

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

/**
 * The decoded content, which must not be changed because the cache may hold it. Null for invalid or
 * incomplete values.
 */
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
