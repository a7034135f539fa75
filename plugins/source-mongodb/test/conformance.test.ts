import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sourceSuite } from '@holdfast/testkit';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MongoServer } from '../../../scripts/services/mongo-server.mjs';
import plugin from '../src/index.js';

const program = process.env.TEST_MONGOD ?? '';
const name = `it's-the-'shop'-(id);ä`;
const password = `it's "a" $(secret) %40`;
const folder = mkdtempSync(join(tmpdir(), 'holdfast-mongodb-test-'));
const path = process.env.PATH;
const settings: Record<string, string> = { user: 'back:up', password, databases: name };
let server: MongoServer;
let client: MongoClient;

async function fill(db: Db): Promise<void> {
  await db.collection('customers').insertMany([{ name: 'Ann' }, { name: 'Bob' }]);
  const orders = Array.from({ length: 5_000 }, (_, n) => ({ n, text: 'x'.repeat(n % 500) }));
  await db.collection('the "orders"').insertMany(orders);
  await db.collection('customers').createIndex({ name: 1 }, { unique: true });
  await db.createCollection('names', { viewOn: 'customers', pipeline: [{ $project: { name: 1 } }] });
}

beforeAll(async () => {
  process.env.PATH = `${dirname(program)}:${path}`;
  server = await MongoServer.start(program, { user: { user: 'back:up', pwd: password } });
  client = new MongoClient(server.uri, { auth: { username: 'back:up', password } });
  settings.port = `${server.port}`;
  writeFileSync(join(folder, 'password'), `${password}\n`, { mode: 0o600 });
  await fill(client.db(name));
});
afterAll(async () => {
  await client?.close();
  await server?.remove();
  rmSync(folder, { recursive: true });
  process.env.PATH = path;
});

describe('the source suite', () => {
  const failing: Record<string, Record<string, string>> = {
    get 'a wrong password'() {
      return { ...settings, password: 'not the password' };
    },
    get 'no user'() {
      return { port: settings.port ?? '', databases: name };
    },
    get 'a file without a password'() {
      const { password: _password, ...rest } = settings;
      return { ...rest, password_from: join(folder, 'none') };
    },
    get 'a database that is not there'() {
      return { ...settings, databases: 'nowhere' };
    },
    get 'a server that is not there'() {
      return { ...settings, port: '1' };
    },
  };
  const cases = sourceSuite({
    open: async () => ({ source: await plugin.create({} as never), close: async () => {} }),
    settings,
    failing,
    secrets: [password],
    assertRestored: async (into) => {
      const db = client.db(into);
      expect(await db.collection('the "orders"').countDocuments()).toBe(5_000);
      expect(await db.collection('names').countDocuments({ name: 'Ann' })).toBe(1);
      expect(await db.collection('customers').indexExists('name_1')).toBe(true);
    },
    removeRestored: async (into) => {
      await client.db(into).dropDatabase();
    },
  });
  for (const { name: title, run } of cases) test(title, run);
});
