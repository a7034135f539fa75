import { Long } from 'mongodb';
import { expect, test } from 'vitest';
import { type Part, readArchive, writeArchive } from '../src/archive.js';
import { Crc64 } from '../src/crc64.js';

const int32 = (value: number) => Buffer.from(Int32Array.of(value).buffer);
const text = (value: string) =>
  Buffer.concat([int32(Buffer.byteLength(value) + 1), Buffer.from(`${value}\0`)]);
const field = (type: number, name: string, value: Buffer) =>
  Buffer.concat([Buffer.from([type]), Buffer.from(`${name}\0`), value]);
const document = (...fields: Buffer[]) => {
  const body = Buffer.concat(fields);
  return Buffer.concat([int32(body.length + 5), body, Buffer.from([0])]);
};
const mark = Buffer.from('ffffffff', 'hex');

/** As the specification of the format has it, in bytes. */
const header = document(
  field(0x10, 'concurrent_collections', int32(1)),
  field(0x02, 'version', text('0.1')),
  field(0x02, 'server_version', text('6.0.5')),
  field(0x02, 'tool_version', text('holdfast')),
);
const json =
  '{"options":{"capped":true,"size":{"$numberInt":"4096"}},"indexes":[],"collectionName":"log","type":"collection"}';
const entry = document(
  field(0x02, 'db', text('shop')),
  field(0x02, 'collection', text('log')),
  field(0x02, 'metadata', text(json)),
  field(0x10, 'size', int32(0)),
  field(0x02, 'type', text('collection')),
);
const block = (end: boolean, crc: Buffer) =>
  document(
    field(0x02, 'db', text('shop')),
    field(0x02, 'collection', text('log')),
    field(0x08, 'EOF', Buffer.from([end ? 1 : 0])),
    field(0x12, 'CRC', crc),
  );
const documents = [document(field(0x10, '_id', int32(1))), document(field(0x02, '_id', text('two')))];
/** Of the documents; computed with another program. */
const crc = Buffer.from('a43cb664139c918d', 'hex');
const start = Buffer.from('6de29981', 'hex');
const parts = [
  start,
  header,
  entry,
  mark,
  block(false, Buffer.alloc(8)),
  ...documents,
  mark,
  block(true, crc),
  mark,
];
const whole = Buffer.concat(parts);

async function* pieces(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

test('computes the checksum CRC-64 of ECMA', () => {
  const crc64 = new Crc64();
  crc64.add(Buffer.from('12345'));
  crc64.add(Buffer.from('6789'));
  expect(BigInt.asUintN(64, crc64.value).toString(16)).toBe('995dc9bbdf1939fa');
});

async function read(bytes: Buffer, size = bytes.length || 1): Promise<Part[]> {
  const found: Part[] = [];
  for await (const part of readArchive(pieces(bytes, size))) found.push(part);
  return found;
}

test('writes the format of mongodump', async () => {
  const options = { capped: true, size: 4_096 };
  const collections = [{ name: 'log', type: 'collection', options, indexes: [] }];
  const content = { database: 'shop', serverVersion: '6.0.5', collections, documents: () => [documents] };
  const written: Buffer[] = [];
  for await (const piece of writeArchive(content as never)) written.push(piece);
  expect(Buffer.concat(written).toString('hex')).toBe(whole.toString('hex'));
});

test.each([1, 7, whole.length])('reads an archive in pieces of %i bytes', async (size) => {
  const [content, ...rest] = await read(whole, size);
  const log = { name: 'log', type: 'collection', indexes: [] };
  expect(content).toMatchObject({ what: 'content', serverVersion: '6.0.5', collections: [log] });
  expect(rest).toMatchObject([
    { what: 'documents', place: 'log', documents },
    { what: 'end', of: log },
  ]);
});

test('reads collections that take turns, and a document of many pieces', async () => {
  const large = document(field(0x02, '_id', text('x'.repeat(3_000_000))));
  const sum = (...all: Buffer[]) => {
    const crc64 = new Crc64();
    for (const one of all) crc64.add(one);
    return Buffer.from(Long.fromBigInt(crc64.value).toBytesLE());
  };
  const other = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replaceAll('log\0', 'two\0'), 'latin1');
  const [one = large, two = large] = documents;
  const [log, of] = [block(false, Buffer.alloc(8)), other(block(false, Buffer.alloc(8)))];
  const bytes = Buffer.concat([
    ...[start, header, entry, other(entry), mark, log, one, mark, of, large, mark, log, two, mark],
    ...[block(true, crc), mark, other(block(true, sum(large))), mark],
  ]);
  const found = (await read(bytes, 65_536)).flatMap((part) =>
    part.what === 'documents' ? part.documents.map((each) => `${part.place} ${each.length}`) : part.what,
  );
  const inOrder = [`log ${one.length}`, `two ${large.length}`, `log ${two.length}`];
  expect(found).toEqual(['content', ...inOrder, 'end', 'end']);
});

test('refuses an archive that is cut off at any byte', async () => {
  for (let length = 0; length < whole.length; length += 1)
    await expect(read(whole.subarray(0, length)), `${length} bytes`).rejects.toThrow(/ends early|no archive/);
});

test('refuses an archive with a changed byte in a document', async () => {
  const at = whole.indexOf('two');
  const changed = Buffer.from(whole);
  changed[at] = 'T'.charCodeAt(0);
  await expect(read(changed)).rejects.toThrow('the checksum of log is wrong');
});

test.each([
  ['nothing', Buffer.alloc(0), 'no archive'],
  ['another format', Buffer.from('PGDMP and more'), 'no archive'],
  [
    'a collection that is not announced',
    Buffer.concat([start, header, mark, ...parts.slice(4)]),
    'not announce',
  ],
  [
    'documents after the end',
    Buffer.concat([whole, block(false, Buffer.alloc(8)), ...documents, mark]),
    'not announce',
  ],
  ['a document with a wrong length', Buffer.concat([...parts.slice(0, 5), int32(3)]), 'has no length'],
  [
    'a document without an end',
    Buffer.concat([...parts.slice(0, 5), int32(6), Buffer.from('ab')]),
    'has no end',
  ],
  [
    'options that are no JSON',
    Buffer.concat([
      start,
      header,
      Buffer.from(entry.toString('latin1').replace('{"options"', '["options"'), 'latin1'),
      mark,
    ]),
    'is damaged',
  ],
  [
    'a name that is no document',
    Buffer.concat([...parts.slice(0, 4), Buffer.from('07000000ffff00', 'hex')]),
    'is damaged',
  ],
  ['a mark in place of a name', Buffer.concat([...parts.slice(0, 4), mark]), 'a name is missing'],
  [
    'two databases',
    Buffer.concat([
      start,
      header,
      entry,
      Buffer.from(entry.toString('latin1').replace('shop', 'wiki'), 'latin1'),
      mark,
    ]),
    'several databases',
  ],
])('refuses an archive with %s', async (_what, bytes, problem) => {
  await expect(read(bytes)).rejects.toThrow(problem);
});
