import { DriverError } from '@holdfast/plugin-api/driver';

export const block = 512;

/** One header block, as far as it is needed. Names are bytes as latin1. */
export interface TarHeader {
  type: string;
  name: string;
  linkName: string;
  /** Bytes of content according to the block. */
  size: number;
}

/**
 * Nothing may be ambiguous: whatever GNU tar does not write is rejected, because the tool that reads the stream next
 * might interpret it differently.
 */
export const invalidTar = (what: string): DriverError =>
  new DriverError(
    'failed',
    `The host did not send a valid GNU tar stream (${what}), so nothing of it is kept.`,
  );

/** Mode, owner, group, time and device: the tool takes an unreadable one for the end of the stream. */
const otherNumbers = [
  ...([
    [100, 8],
    [108, 8],
    [116, 8],
    [136, 12],
    [329, 8],
    [337, 8],
  ] as const),
];
const number = /^(?: *[0-7]*[ \0]*|[\x80\xff][\0-\xff]+)$/;
const octal = /^ *([0-7]{1,12})[ \0]*$/;

export function parseTarHeader(bytes: Buffer): TarHeader {
  const text = bytes.toString('latin1');
  if (numberIn(text, 148, 8) !== checksum(bytes)) throw invalidTar('a block with a wrong checksum');
  if (!otherNumbers.every(([from, length]) => number.test(text.slice(from, from + length))))
    throw invalidTar('an invalid number');
  const magic = text.slice(257, 265);
  if (magic !== 'ustar\x0000' && magic !== 'ustar  \0') throw invalidTar('a block of another format');
  const prefix = textIn(text, 345, 155);
  if (prefix !== '' && magic !== 'ustar\x0000') throw invalidTar('an incremental dump');
  const name = textIn(text, 0, 100);
  return {
    type: text.charAt(156),
    name: prefix === '' ? name : `${prefix}/${name}`,
    linkName: textIn(text, 157, 100),
    size: numberIn(text, 124, 12),
  };
}

const textIn = (text: string, from: number, length: number): string =>
  text.slice(from, from + length).split('\0', 1)[0] as string;

function numberIn(text: string, from: number, length: number): number {
  const field = text.slice(from, from + length);
  const [, digits] = octal.exec(field) ?? [];
  const value = digits === undefined ? inBase256(field) : Number.parseInt(digits, 8);
  if (!Number.isSafeInteger(value)) throw invalidTar('an invalid number');
  return value;
}

function inBase256(field: string): number {
  if (!field.startsWith('\x80')) return Number.NaN;
  let value = 0;
  for (let index = 1; index < field.length; index++) value = value * 256 + field.charCodeAt(index);
  return value;
}

/** The sum of all bytes, with the checksum itself read as spaces. */
function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let index = 0; index < block; index++) sum += index >= 148 && index < 156 ? 32 : (bytes[index] ?? 0);
  return sum;
}

const numbers = /^(?:size|uid|gid|[amc]time|GNU\.sparse\.(?:realsize|major|minor))$/;
const sparse = /^GNU\.sparse\.(?:major|minor|name|realsize)$/;
const texts = /^(?:path|linkpath|uname|gname|GNU\.sparse\.name)$/;

/** The records of an extended header; `bytes` is its content with padding. */
export function parsePax(bytes: Buffer, size: number): Map<string, string> {
  const text = bytes.toString('latin1');
  if (/[^\0]/.test(text.slice(size))) throw invalidTar('text after an extended header');
  const records = new Map<string, string>();
  for (let at = 0; at < size; ) {
    const [head, digits] = /^([1-9][0-9]{0,6}) /.exec(text.slice(at, at + 9)) ?? ['', '0'];
    const end = at + Number(digits);
    const equals = text.indexOf('=', at);
    if (head === '' || end > size || equals <= at + head.length || equals >= end || text[end - 1] !== '\n')
      throw invalidTar('an invalid extended header');
    add(records, text.slice(at + head.length, equals), text.slice(equals + 1, end - 1));
    at = end;
  }
  return records;
}

function add(records: Map<string, string>, key: string, value: string): void {
  if (records.has(key)) throw invalidTar(`duplicate ${key}`);
  if (key.startsWith('GNU.sparse.') && !sparse.test(key)) throw invalidTar('an old form of sparse file');
  if (numbers.test(key) && !/^-?\d{1,15}(?:\.\d{1,12})?$/.test(value))
    throw invalidTar(`${key} is not a number`);
  if (texts.test(key) && value.includes('\0')) throw invalidTar(`${key} contains a NUL character`);
  records.set(key, value);
}
