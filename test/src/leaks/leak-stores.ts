import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { MongoClient } from 'mongodb';
import pg from 'pg';
import { type RedisServer, startRedis } from '../services/redis.js';
import { PostgresDatabase } from '../store/postgres-database.js';
import { SqliteDatabase } from '../store/sqlite-database.js';
import type { Material } from './scan.js';
import type { SecretBook } from './secret-book.js';

/** Where a service keeps what it keeps, seen from outside. */
export interface LeakStores {
  environment: Record<string, string>;
  /** Everything that is stored outside of the data folder. */
  contents(): Promise<Material[]>;
  /** Puts texts there, to see whether they are found. */
  seed(texts: { timers: string; cache: string }): Promise<void>;
  remove(): Promise<void>;
}

/** SQLite in the data folder, timers in it too, the cache in the memory of the process. */
export const embeddedStores = (dataDirectory: string): LeakStores => ({
  environment: {},
  contents: async () => sqliteRows(join(dataDirectory, 'holdfast.db')),
  seed: () => Promise.reject(new Error('there are no such stores')),
  remove: async () => {},
});

/** A value may lie in pieces in the file: rows are whole. The file itself is searched with the other files. */
async function sqliteRows(file: string): Promise<Material[]> {
  const database = await SqliteDatabase.open(file);
  try {
    const tables = await database.all<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table'",
    );
    const rowsOf = ({ name }: { name: string }) =>
      database.all<Record<string, unknown>>(`SELECT * FROM "${name}"`);
    const contents = await Promise.all(tables.map(rowsOf));
    return tables.map(({ name }, index) => ({
      channel: 'database',
      place: name,
      content: (contents[index] ?? []).flatMap((row) => Object.values(row).map(asText)).join('\n'),
    }));
  } finally {
    await database.close();
  }
}

const asText = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : `${value}`;

/** PostgreSQL, MongoDB and Redis, each behind a password of its own. */
export async function realStores(book: SecretBook): Promise<LeakStores> {
  const name = `hf_leaks_${randomBytes(8).toString('hex')}`;
  const password = (store: string) => book.plant(`the password of ${store}`, 'given');
  const postgres = await openPostgres(name, password('PostgreSQL'));
  const mongo = await openMongo(name, password('MongoDB'));
  const redis = await openRedis(password('Redis'));
  return {
    environment: { DATABASE_URL: postgres.url, MONGODB_URI: mongo.url, KVCACHE_URL: redis.url },
    contents: async () =>
      (await Promise.all([postgres.contents(), mongo.contents(), redis.contents()])).flat(),
    async seed({ timers, cache }) {
      await mongo.seed(timers);
      await redis.seed(cache);
    },
    remove: async () => {
      for (const store of [postgres, mongo, redis]) await store.remove();
    },
  };
}

const given = (variable: string): URL => {
  const text = process.env[variable];
  if (!text) throw new Error(`${variable} names no server; run these tests by npm test.`);
  return new URL(text);
};

const withUser = (url: URL, user: { name: string; password: string }): URL => {
  const its = new URL(url.href);
  its.username = user.name;
  its.password = user.password;
  its.pathname = `/${user.name}`;
  return its;
};

async function openPostgres(name: string, password: string) {
  const server = given('TEST_POSTGRES_URL');
  const asAdministrator = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: server.href });
    await client.connect();
    for (const sql of statements) await client.query(sql);
    await client.end();
  };
  await asAdministrator(
    `CREATE ROLE ${name} LOGIN PASSWORD '${password}'`,
    `CREATE DATABASE ${name} OWNER ${name} TEMPLATE template0`,
  );
  const { href: url } = withUser(server, { name, password });
  return {
    url,
    contents: async (): Promise<Material[]> => {
      const database = await PostgresDatabase.open(url);
      const content = await database.contents().finally(() => database.close());
      return [{ channel: 'database', place: 'all tables', content }];
    },
    remove: () => asAdministrator(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `DROP ROLE ${name}`),
  };
}

async function openMongo(name: string, password: string) {
  const server = given('TEST_MONGODB_URI');
  const client = await MongoClient.connect(server.href);
  const database = client.db(name);
  await database.command({ createUser: name, pwd: password, roles: [{ role: 'dbOwner', db: name }] });
  const url = withUser(server, { name, password });
  url.searchParams.set('authSource', name);
  return {
    url: url.href,
    contents: async (): Promise<Material[]> => {
      const collections = await database.collections();
      const read = async (collection: (typeof collections)[number]): Promise<Material> => ({
        channel: 'timer store',
        place: collection.collectionName,
        content: JSON.stringify(await collection.find().toArray()),
      });
      return Promise.all(collections.map(read));
    },
    seed: (text: string) => database.collection('seeded').insertOne({ data: { text } }),
    remove: async () => {
      await database.command({ dropAllUsersFromDatabase: 1 });
      await database.dropDatabase();
      await client.close();
    },
  };
}

async function openRedis(password: string) {
  const redis: RedisServer = await startRedis({ password, settings: ['--rdbcompression', 'no'] });
  return {
    url: `redis://:${password}@127.0.0.1:${redis.port}/0`,
    /** Its own dump: every key of every database, whatever kind it is. */
    contents: async (): Promise<Material[]> => {
      const reply = await redis.command('SAVE');
      if (!reply.startsWith('+OK')) throw new Error(`Redis does not save: ${reply}`);
      const content = readFileSync(join(redis.folder, 'dump.rdb'));
      return [{ channel: 'cache', place: 'dump.rdb', content }];
    },
    seed: (text: string) => redis.command('SET', 'seeded', deflateSync(text).toString('base64')),
    remove: () => redis.remove(),
  };
}
