/** Servers that only the host reaches: over SSH, or in a container. */
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { MongoServer } from '../../../scripts/services/mongo-server.mjs';
import { dump } from '../src/dump.js';
import plugin from '../src/index.js';
import { openServer } from '../src/server.js';

const pwd = 'sesame';
const before = process.env.TMPDIR;
let server: MongoServer;
let folder: string;
let opened: Socket[] = [];
let asked: string[][] = [];
let settings: Record<string, string>;
const host = {
  name: 'db.example',
  isLocal: false,
  async connect(address: string) {
    const port = address === 'db:1' ? server.port : 1;
    const socket = connect({ host: '127.0.0.1', port });
    await once(socket, 'connect');
    opened.push(socket);
    return socket;
  },
  async run({ argv }: { argv: string[] }) {
    asked.push(argv);
    return { code: argv.at(-1) === 'PASSWORD' ? 0 : 1, stdout: `${pwd}\n`, stderr: '' };
  },
} as never;
const context = { host, signal: new AbortController().signal, log: () => {} } as never;

beforeAll(async () => {
  server = await MongoServer.start(process.env.TEST_MONGOD ?? '', { user: { user: 'me', pwd } });
  settings = { host: 'db', port: '1', user: 'me', password_from: 'PASSWORD' };
  const client = new MongoClient(server.uri, { auth: { username: 'me', password: pwd } });
  const texts = Array.from({ length: 20_000 }, (_, n) => ({ n, text: 'x'.repeat(1_000) }));
  await client.db('shop').collection('texts').insertMany(texts);
  await client.close();
});
afterAll(() => server?.remove());
beforeEach(() => {
  [opened, asked] = [[], []];
  folder = mkdtempSync(join(before ?? tmpdir(), 'holdfast-proxy-test-'));
  process.env.TMPDIR = folder;
});
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = before;
  rmSync(folder, { recursive: true });
});
const assertNothingLeft = async () => {
  await expect.poll(() => readdirSync(folder)).toEqual([]);
  await expect.poll(() => opened.every((socket) => socket.destroyed)).toBe(true);
};

test('reaches a server through its host, with a password of the host', async () => {
  const source = plugin.create({} as never) as Awaited<ReturnType<typeof plugin.create>>;
  const [finding] = await source.check(settings, context);
  expect(finding).toMatchObject({ status: 'ok', text: expect.stringContaining(': shop.') });
  expect(asked.map((argv) => argv.at(-1))).toEqual(['PASSWORD']);
  const { output, code } = dump(settings, context, 'shop');
  let size = 0;
  for await (const piece of output) size += piece.length;
  expect([size > 20_000_000, await code]).toEqual([true, 0]);
  await assertNothingLeft();
});

test('dumps and restores with the roles that the documentation names', async () => {
  const client = new MongoClient(server.uri, { auth: { username: 'me', password: pwd } });
  const timeseries = { timeField: 't' };
  await client.db('typed').createCollection('series', { timeseries });
  await client.db('typed').collection('series').insertOne({ t: new Date() });
  await client.db('typed').createCollection('view', { viewOn: 'series', pipeline: [] });
  await client.db('typed').collection<{ _id: string }>('system.js').insertOne({ _id: 'f' });
  const add = (name: string, ...roles: string[]) => {
    const ofServer = roles.map((role) => ({ role, db: 'admin' }));
    return client.db('users').command({ createUser: name, pwd, roles: ofServer });
  };
  await add('backup', 'backup');
  await add('restore', 'restore', 'dbAdminAnyDatabase');
  const signedIn = (user: string) => ({ ...settings, user, auth_database: 'users' });
  const { output } = dump(signedIn('backup'), context, 'typed');
  const bytes = Buffer.concat(await output.toArray());
  const source = await plugin.create({} as never);
  const stored = { name: 'typed.archive', open: () => Readable.from([bytes]) };
  for (const replace of [false, true])
    await source.restore?.(signedIn('restore'), stored, { into: 'back', replace }, context);
  expect(await client.db('back').collection('view').countDocuments()).toBe(1);
  await client.close();
});

test('keeps its socket from other users', async () => {
  const { close } = await openServer(settings, context);
  const [name = ''] = readdirSync(folder);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700);
  await close();
  await assertNothingLeft();
});

test('leaves nothing behind when a dump is cancelled', async () => {
  const stop = new AbortController();
  const { output, code } = dump(settings, { ...(context as object), signal: stop.signal } as never, 'shop');
  const iterator = output[Symbol.asyncIterator]();
  await iterator.next();
  stop.abort();
  await expect(code).rejects.toThrow();
  await assertNothingLeft();
});

test.each([
  ['nothing listens', { port: '2' }, /^The server does not answer: .*ECONNREFUSED.*\.$/],
  ['there is no password', { password_from: 'NONE' }, /^db\.example has no password in NONE: /],
])('says it when %s', async (_what, more, problem) => {
  const source = plugin.create({} as never) as Awaited<ReturnType<typeof plugin.create>>;
  const [finding] = await source.check({ ...settings, ...more }, context);
  expect(finding).toMatchObject({ status: 'failed', text: expect.stringMatching(problem) });
  await assertNothingLeft();
});
