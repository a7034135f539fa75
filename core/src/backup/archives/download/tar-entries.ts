import { nameOfBytes } from '@holdfast/plugin-api/driver';
import { ByteReader } from './byte-reader.js';

export interface TarEntry {
  /** Bytes that are not UTF-8 are lone surrogates. */
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'hard link' | 'other';
  /** Permission bits. */
  mode: number;
  mtime: Date;
  /** Bytes of `content`. */
  size: number;
  /** Of a symlink or a hard link. */
  linkTarget: string;
  /** To be read before the next entry, or left. */
  content: AsyncIterable<Buffer>;
}

const block = 512;
const longestText = 1024 * 1024;
const types: Record<string, TarEntry['type']> = {
  '\0': 'file',
  0: 'file',
  1: 'hard link',
  2: 'symlink',
  5: 'directory',
  7: 'file',
};

/** The entries of a tar stream (ustar, GNU or pax) of the driver. Throws when it is cut off or not a tar stream. */
export async function* entriesOf(tar: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = new ByteReader(tar);
  let ahead = new Map<string, string>();
  for (;;) {
    const header = await reader.take(block);
    if (header.every((byte) => byte === 0)) break;
    checkSum(header);
    const type = String.fromCharCode(header[156] ?? 0);
    const blockSize = numberIn(header, 124, 12);
    if ('xgLK'.includes(type)) {
      if (blockSize > longestText) throw notTar('a name that is too long');
      const bytes = (await reader.take(padded(blockSize))).subarray(0, blockSize);
      if (type === 'L' || type === 'K')
        ahead.set(type === 'L' ? 'path' : 'linkpath', textIn(bytes, 0, blockSize));
      if (type === 'x') ahead = new Map([...ahead, ...paxRecords(bytes)]);
      continue;
    }
    const size = Number(ahead.get('size') ?? blockSize);
    const end = reader.position + padded(size);
    yield { ...described(header, ahead), type: types[type] ?? 'other', size, content: reader.pass(size) };
    for await (const _ of reader.pass(end - reader.position));
    ahead = new Map();
  }
  for await (const _ of reader.rest());
}

function described(header: Buffer, ahead: ReadonlyMap<string, string>) {
  const prefix = textIn(header, 257, 6) === 'ustar' ? textIn(header, 345, 155) : '';
  const name = textIn(header, 0, 100);
  return {
    path: ahead.get('path') ?? (prefix === '' ? name : `${prefix}/${name}`),
    mode: numberIn(header, 100, 8) & 0o7777,
    mtime: new Date(Number(ahead.get('mtime') ?? numberIn(header, 136, 12)) * 1000),
    linkTarget: ahead.get('linkpath') ?? textIn(header, 157, 100),
  };
}

const padded = (size: number): number => Math.ceil(size / block) * block;
const notTar = (what: string) => new Error(`Borg did not return a tar stream: ${what}.`);

function textIn(bytes: Buffer, from: number, length: number): string {
  const field = bytes.subarray(from, from + length);
  const end = field.indexOf(0);
  return nameOfBytes(end < 0 ? field : field.subarray(0, end));
}

/** Octal digits, or base 256 after a first byte of 0x80. */
function numberIn(bytes: Buffer, from: number, length: number): number {
  const field = bytes.subarray(from, from + length);
  if ((field[0] ?? 0) === 0xff) return 0;
  const value =
    (field[0] ?? 0) === 0x80
      ? field.subarray(1).reduce((sum, byte) => sum * 256 + byte, 0)
      : Number.parseInt(
          field
            .toString('latin1')
            .replace(/[\0 ]+$/, '')
            .trim() || '0',
          8,
        );
  if (!Number.isSafeInteger(value)) throw notTar('an invalid number');
  return value;
}

function checkSum(header: Buffer): void {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== numberIn(header, 148, 8)) throw notTar('a block with a wrong checksum');
}

/** Lines of `length key=value`. */
function* paxRecords(bytes: Buffer): Generator<[string, string]> {
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(' ', at);
    const length = Number(bytes.toString('latin1', at, space));
    const equals = bytes.indexOf('=', space);
    if (space < 0 || equals < 0 || !(length > 0)) throw notTar('an invalid extended header');
    yield [
      bytes.toString('latin1', space + 1, equals),
      nameOfBytes(bytes.subarray(equals + 1, at + length - 1)),
    ];
    at += length;
  }
}
