import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import type { Command } from '@holdfast/plugin-api/source';
import { BSON, type Db, type Document, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MongoServer } from '../../../scripts/services/mongo-server.mjs';
import { readArchive, writeArchive } from '../src/archive.js';
import { dump } from '../src/dump.js';
import plugin from '../src/index.js';
import { prove } from '../src/prove.js';
import { restore } from '../src/restore.js';

const { Binary, BSONRegExp, Code, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } =
  BSON;
let server: MongoServer;
let client: MongoClient;
let settings: Record<string, string>;
const program = process.env.TEST_MONGOD ?? '';
const signal = new AbortController().signal;
const context = {
  host: { isLocal: true, connect: async () => Readable.from([]) },
  signal,
  log: () => {},
} as never;

beforeAll(async () => {
  server = await MongoServer.start(program);
  client = new MongoClient(server.uri);
  settings = { port: `${server.port}` };
});
afterAll(async () => {
  await client?.close();
  await server?.remove();
});

const bytesOf = async (name: string): Promise<Buffer> =>
  Buffer.concat(await dump(settings, context, name).output.toArray());
const restored = (bytes: Buffer, into: string, replace = false) =>
  restore(settings, { dump: { name: 'x', open: () => Readable.from([bytes]) }, into, replace }, context);
async function documentsIn(bytes: Buffer): Promise<string[]> {
  const found: string[] = [];
  for await (const part of readArchive(Readable.from([bytes])))
    if (part.what === 'documents') found.push(...part.documents.map((one) => one.toString('hex')));
  return found;
}

/** A document in bytes, with what the driver can't write. */
const raw = (fields: string): Buffer => {
  const body = Buffer.from(`10 5f696400 07000000 ${fields}`.replaceAll(' ', ''), 'hex');
  const bytes = Buffer.alloc(body.length + 5);
  bytes.writeInt32LE(bytes.length);
  body.copy(bytes, 4);
  return bytes;
};

const exact: [string, Uint8Array][] = [
  [
    'numbers',
    BSON.serialize({
      _id: 1,
      a: new Int32(5),
      b: new Double(5),
      c: Long.fromNumber(5),
      d: -0,
      e: new Double(-0),
    }),
  ],
  ['large numbers', BSON.serialize({ _id: 1, a: Long.MAX_VALUE, b: Number.MAX_VALUE, c: Infinity, d: NaN })],
  ['decimals', BSON.serialize({ _id: 1, a: Decimal128.fromString('1.10'), b: Decimal128.fromString('NaN') })],
  [
    'binary data',
    BSON.serialize({
      _id: 1,
      a: new Binary(Buffer.from('a'), 0),
      b: new Binary(Buffer.alloc(16, 1), 4),
      c: new Binary(Buffer.from('x'), 128),
    }),
  ],
  ['dates', BSON.serialize({ _id: 1, a: new Date(0), b: new Date(-1), c: new Timestamp({ t: 5, i: 6 }) })],
  [
    'patterns and code',
    BSON.serialize({
      _id: 1,
      a: new BSONRegExp('^a/b', 'imx'),
      b: new Code('x', { y: 1 }),
      c: new Code('y'),
    }),
  ],
  [
    'keys',
    BSON.serialize({ _id: new ObjectId(), a: new MinKey(), b: new MaxKey(), c: null, d: [], e: [[{}]] }),
  ],
  ['names with dots and dollars', BSON.serialize({ _id: 1, 'a.b': 1, $c: 2, '': 3 })],
  ['a name of JavaScript', raw('08 5f5f70726f746f5f5f00 01')],
  ['names of numbers in their order', raw('10 3200 01000000 10 3100 02000000')],
  ['a date that JavaScript does not know', raw('09 6400 ffffffffffffff7f')],
  ['NaN with a payload', raw('01 6e00 010000000000f87f')],
  ['a symbol', raw('0e 7300 02000000 6100')],
  ['an undefined value', raw('06 7500')],
  [
    'a reference in an unusual order',
    raw('03 7200 1a000000 10 24696400 01000000 02 2472656600 02000000 6100 00'),
  ],
];

/** Of one collection. */
async function archiveOf(name: string, ...all: Uint8Array[]): Promise<Buffer> {
  const collections = [{ name, type: 'collection', options: {}, indexes: [] }];
  const documents = async function* () {
    yield all;
  };
  const pieces: Buffer[] = [];
  for await (const piece of writeArchive({ database: 'x', serverVersion: '6.0', collections, documents }))
    pieces.push(piece);
  return Buffer.concat(pieces);
}

test.each(exact)('restores %s byte by byte', async (_what, bytes) => {
  await restored(await archiveOf('all', bytes), 'exact', true);
  expect(await documentsIn(await bytesOf('exact'))).toEqual([Buffer.from(bytes).toString('hex')]);
});

const typed = { promoteValues: false, bsonRegExp: true };

/** Collections and indexes, without what is new for each. */
async function shapeOf(db: Db): Promise<Document[]> {
  const found = await db.listCollections({}, typed).toArray();
  const shapes = (found as Document[]).map(async ({ name, type, options }) => {
    const indexes = type === 'view' ? [] : await db.collection(`${name}`).listIndexes(typed).toArray();
    return { name, type, options, indexes };
  });
  return (await Promise.all(shapes)).toSorted((a, b) => (`${a.name}` < `${b.name}` ? -1 : 1));
}

test('restores collections, indexes and views as they were', async () => {
  const db = client.db('shapes');
  const collation = { locale: 'de', strength: 2 };
  await db.createCollection('german', { collation });
  await db.command({
    createIndexes: 'german',
    indexes: [
      { key: { a: 1 }, name: 'own' },
      { key: { b: 1 }, name: 'simple', collation: { locale: 'simple' }, unique: true },
    ],
  });
  const validator = { $jsonSchema: { required: ['a'], properties: { a: { bsonType: 'int', minimum: 1 } } } };
  await db.createCollection('strict', { validator, validationAction: 'error' });
  await db.collection('strict').insertOne({ b: 1 }, { bypassDocumentValidation: true });
  await db.createCollection('ring', { capped: true, size: 65_536, max: 10 });
  await db.createCollection('clustered', { clusteredIndex: { key: { _id: 1 }, unique: true } });
  await db.collection('clustered').insertOne({ _id: 1 } as Document);
  const temperatures = { timeField: 't', metaField: 'm', granularity: 'hours' as const };
  await db.createCollection('temperatures', { timeseries: temperatures, expireAfterSeconds: 86_400_000 });
  await db
    .collection('temperatures')
    .insertMany([1, 2, 3].map((c) => ({ t: new Date(c * 1e12), m: 'x', c })));
  await db.collection('temperatures').createIndex({ m: 1, t: 1 });
  const texts = db.collection('texts');
  await texts.createIndex({ a: 'text', b: 'text' }, { weights: { a: 3 }, default_language: 'german' });
  await texts.createIndex(
    { at: 1 },
    { expireAfterSeconds: 3_600, partialFilterExpression: { c: { $gt: new Double(1) } } },
  );
  await texts.createIndex({ place: '2dsphere' }, { sparse: true });
  await texts.createIndex({ h: 'hashed' });
  await texts.createIndex({ '$**': 1 }, { wildcardProjection: { a: 0 } });
  await db.createCollection('a view', {
    viewOn: 'z view',
    pipeline: [{ $match: { a: new BSONRegExp('^x', 'ix'), n: Long.fromNumber(1) } }],
    collation,
  });
  await db.createCollection('z view', { viewOn: 'german', pipeline: [], collation });
  await db.collection('system.js').insertOne({ _id: 'f', value: new Code('function () {}') } as never);
  await db.createCollection('empty');

  const bytes = await bytesOf('shapes');
  await restored(bytes, 'again');
  expect(await shapeOf(client.db('again'))).toEqual(await shapeOf(db));
  expect(await client.db('again').collection('temperatures').countDocuments({ c: 2 })).toBe(1);
  expect(await documentsIn(await bytesOf('again'))).toEqual(await documentsIn(bytes));
});

test('keeps the existing database when a dump is not whole or refused', async () => {
  const db = client.db('kept');
  await db.collection('a').insertMany([
    { _id: 1, n: 1 },
    { _id: 2, n: 1 },
  ] as Document[]);
  const bytes = await bytesOf('kept');
  const one = BSON.serialize({ _id: 1 });
  const twice = await archiveOf('a', one, one);
  for (const [wrong, problem] of [
    [bytes.subarray(0, -30), 'kept was not restored: The dump ends early.'],
    [twice, /^kept was not restored: The server refused a document of a: E11000 /],
  ] as const)
    await expect(restored(wrong, 'kept', true)).rejects.toThrow(problem);
  expect(await db.collection('a').countDocuments()).toBe(2);
  const { databases } = await client.db('admin').admin().listDatabases();
  expect(databases.filter(({ name }) => name.includes('holdfast_new'))).toEqual([]);
});

/** Of a server that knows more than this one. */
async function newerArchive(): Promise<Buffer> {
  const collections = [{ name: 'a', type: 'collection', options: { unheardOf: 1 }, indexes: [] }];
  const documents = async function* () {};
  const content = { database: 'x', serverVersion: '99.1.2', collections, documents };
  return Buffer.concat(await Readable.from(writeArchive(content)).toArray());
}

test('names both versions when an older server does not take a dump', async () => {
  const problem =
    /^newer was not restored: The dump is of MongoDB 99\.1\.2, but this is \d+\.\d+\.\d+: install/;
  await expect(restored(await newerArchive(), 'newer')).rejects.toThrow(problem);
});

describe('a drill', () => {
  const path = process.env.PATH;
  let folder: string;
  let tryingServer: ChildProcess | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'holdfast-mongodb-test-'));
    process.env.PATH = `${dirname(program)}:${path}`;
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    process.env.PATH = path;
  });
  const here = {
    run: async ({ argv: [name = '', ...words] }: Command) => ({ code: spawnSync(name, words).status }),
    async open({ argv: [name = '', ...words] }: Command, until: AbortSignal) {
      const child = spawn(name, words, { signal: until }).on('error', () => {});
      tryingServer = child;
      return { output: child.stdout, code: once(child, 'close').then(([code]) => code as number | null) };
    },
  };
  const proved = (bytes: Buffer) =>
    prove({ name: 'x', open: () => Readable.from([bytes]) }, {
      ...(context as object),
      folder,
      host: here,
    } as never);

  test('does not judge a dump when this machine has an older server, or none', async () => {
    await expect(proved(await newerArchive())).rejects.toThrow(
      /^The dump was not tried: The dump is of MongoDB 99/,
    );
    // It ended by itself, and writes no more while the folder is removed.
    expect(tryingServer?.exitCode).toBe(0);
    symlinkSync('/bin/sh', join(folder, 'sh'));
    process.env.PATH = folder;
    await expect(proved(await newerArchive())).rejects.toThrow('this machine has no mongod to try it with');
  });

  test('reports a dump that the server refuses, and counts no views', async () => {
    const one = BSON.serialize({ _id: 1 });
    expect(await proved(await archiveOf('a', one, one))).toMatchObject({
      passed: false,
      text: expect.stringMatching(/^It could not be restored: The server refused a document of a: E11000 /),
    });
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    await client.db('counted').collection('a').insertMany([{}, {}]);
    await client.db('counted').createCollection('v', { viewOn: 'a', pipeline: [] });
    expect(await proved(await bytesOf('counted'))).toMatchObject({ passed: true, tables: 1, rows: 2 });
  });
});

test('finds the databases of the usual server, without that of the service', async () => {
  await client.db('queue').collection('holdfast_jobs').insertOne({});
  await client.db('found').collection('a').insertOne({});
  const asked: string[] = [];
  const connectTo = async (address: string) => {
    asked.push(address);
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const source = await plugin.create({} as never);
  const host = { isLocal: false, name: 'db', connect: connectTo };
  const found = await source.find?.({ ...(context as object), host } as never);
  expect(found).toContainEqual({ name: 'found', settings: { databases: 'found' } });
  expect(found?.map(({ name }) => name)).not.toContain('queue');
  expect(new Set(asked)).toEqual(new Set(['127.0.0.1:27017']));
});

test('restores into a database with a name of 62 bytes', async () => {
  await restored(await archiveOf('a', BSON.serialize({ _id: 1 })), 'ä'.repeat(31));
  expect(await client.db('ä'.repeat(31)).collection('a').countDocuments()).toBe(1);
});

test('refuses databases of the server', async () => {
  await expect(restored(Buffer.alloc(0), 'admin', true)).rejects.toThrow('admin belongs to the server');
});

test('fails a dump when the server dies', async () => {
  const own = await MongoServer.start(program);
  const at = new MongoClient(own.uri);
  const texts = Array.from({ length: 20_000 }, () => ({ text: 'x'.repeat(1_000) }));
  await at.db('large').collection('texts').insertMany(texts);
  await at.close();
  const { output, code } = dump({ port: `${own.port}` }, context, 'large');
  const iterator = output[Symbol.asyncIterator]();
  for (let read = 0; read < 3; read += 1) await iterator.next();
  await own.remove();
  await expect(
    (async () => {
      while (!(await iterator.next()).done);
    })(),
  ).rejects.toThrow(/^large could not be dumped: .*\.$/);
  await expect(code).rejects.toThrow();
}, 60_000);
