import { randomUUID } from 'node:crypto';
import { schemaVersions } from '@holdfast/core/server';
import type { Log, PluginContext, SchemaVersion, StorageStart } from '@holdfast/plugin-api';
import { sqlStorage } from '@holdfast/storage-sequelize';
import pg from 'pg';
import plugin from '../src/index.js';
import { postgresDialect } from '../src/postgres-dialect.js';
import { serverOf } from '../src/postgres-server.js';

/** The server that `npm test` starts; its user may do everything. */
export const serverUrl = (): string => {
  const url = process.env.TEST_POSTGRES_URL;
  if (!url) throw new Error('TEST_POSTGRES_URL names no server; run these tests by npm test.');
  return url;
};

/** The same server with another database, and another user. */
export function urlOf(database: string, login: { user?: string; password?: string } = {}): string {
  const url = new URL(serverUrl());
  url.pathname = `/${database}`;
  if (login.user !== undefined) url.username = login.user;
  if (login.password !== undefined) url.password = login.password;
  return url.href;
}

/** Runs SQL beside the storage, as the superuser. */
export async function run<Row = Record<string, unknown>>(sql: string, database = 'postgres'): Promise<Row[]> {
  const client = new pg.Client({ connectionString: urlOf(database) });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

const made: string[] = [];

/** A new, empty database. */
export async function newDatabase(name = `hf_${randomUUID().replaceAll('-', '')}`): Promise<string> {
  await run(`CREATE DATABASE "${name}" TEMPLATE template0`);
  made.push(name);
  return name;
}

export async function dropDatabases(): Promise<void> {
  for (const name of made.splice(0)) await run(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
}

export interface Line {
  level: string;
  message: string;
}

/** A log that keeps its lines. */
export function makeLog(lines: Line[] = []): Log {
  const at = (level: string) => (message: string) => {
    lines.push({ level, message });
  };
  const log: Log = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => log,
  };
  return log;
}

/** The plugin, created and started as the host does it. */
export async function openDatabase(url: string, log = makeLog(), start = startAt(schemaVersions)) {
  const configuration = plugin.configuration.parse({ url });
  const context = { configuration, log } as PluginContext<typeof configuration>;
  const storage = await plugin.create(context);
  await storage.start(start);
  return { storage, close: async () => storage.stop?.() };
}

const startAt = (schema: readonly SchemaVersion[]): StorageStart => ({ schema, stillWorking: () => {} });

/** A storage with a schema history of the test's own, not started. */
export function storageOf(url: string, versions: readonly SchemaVersion[] = schemaVersions, log = makeLog()) {
  const storage = sqlStorage({ dialect: postgresDialect({ server: serverOf(url), log }) });
  const start = storage.start.bind(storage);
  return Object.assign(storage, { start: () => start(startAt(versions)) });
}
