import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { type RedisServer, startRedis } from '../services/redis.js';
import type { Database } from './database.js';
import { PostgresDatabase } from './postgres-database.js';
import { SqliteDatabase } from './sqlite-database.js';

/** Storage, timers and cache with which the services of a run are started. */
export const combination = process.env.TEST_COMBINATION || 'sqlite-embedded-memory';
const [storage, jobs, cache] = combination.split('-');

export const usesPostgres = storage === 'postgres';
export const usesMongo = jobs === 'mongodb';
export const usesRedis = cache === 'redis';

type Environment = Record<string, string | undefined>;

/** What the services on one data folder share with nobody else. */
export interface Stores {
  environment: Environment;
  /** The database as it is now. */
  openDatabase(): Promise<Database>;
  remove(): Promise<void>;
}

const byFolder = new Map<string, Promise<Stores>>();

/** The same for all services on one data folder. */
export function storesOf(dataDirectory: string): Promise<Stores> {
  const folder = realpathSync(dataDirectory);
  const known = byFolder.get(folder) ?? makeStores(folder);
  byFolder.set(folder, known);
  return known;
}

async function makeStores(folder: string): Promise<Stores> {
  const name = `hf_${createHash('sha256').update(folder).digest('hex').slice(0, 20)}`;
  const redis = usesRedis ? await startRedis() : undefined;
  if (usesPostgres) await asAdministrator(`CREATE DATABASE ${name} TEMPLATE template0`);
  return {
    environment: environmentOf(name, redis),
    openDatabase: () =>
      usesPostgres
        ? PostgresDatabase.open(serverUrl(name))
        : SqliteDatabase.open(join(folder, 'holdfast.db')),
    async remove() {
      byFolder.delete(folder);
      await redis?.remove();
      if (usesPostgres) await asAdministrator(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

function environmentOf(name: string, redis: RedisServer | undefined): Environment {
  return {
    ...(usesPostgres ? { DATABASE_URL: serverUrl(name) } : {}),
    ...(usesMongo ? { MONGODB_URI: mongoUrl(name) } : {}),
    ...(redis ? { KVCACHE_URL: redis.url } : {}),
  };
}

function given(variable: string): URL {
  const text = process.env[variable];
  if (!text) throw new Error(`${variable} names no server; run the tests by npm test.`);
  return new URL(text);
}

function serverUrl(database: string): string {
  const url = given('TEST_POSTGRES_URL');
  url.pathname = `/${database}`;
  return url.href;
}

function mongoUrl(database: string): string {
  const url = given('TEST_MONGODB_URI');
  url.pathname = `/${database}`;
  return url.href;
}

async function asAdministrator(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: given('TEST_POSTGRES_URL').href });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
