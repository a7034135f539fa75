import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { sourceSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import plugin from '../src/index.js';

const name = `holdfast 'it"s' $(id) ${process.pid}`;
const url = new URL(process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres');
const programs = process.env.TEST_POSTGRES_PROGRAMS ?? '';
const path = process.env.PATH;
const settings = {
  host: url.hostname,
  port: url.port,
  user: decodeURIComponent(url.username),
  password: decodeURIComponent(url.password),
  databases: name,
};

const sql = (database: string, text: string) =>
  execFileSync(join(programs, 'psql'), ['-XAtq', '-v', 'ON_ERROR_STOP=1'], {
    env: {
      ...process.env,
      PGHOST: settings.host,
      PGPORT: settings.port,
      PGUSER: settings.user,
      PGPASSWORD: settings.password,
      PGDATABASE: database,
    },
    input: text,
    encoding: 'utf8',
  }).trim();
const quoted = (database: string) => `"${database.replaceAll('"', '""')}"`;

describe('the source suite', () => {
  beforeAll(() => {
    process.env.PATH = `${programs}:${path}`;
    sql('postgres', `CREATE DATABASE ${quoted(name)} TEMPLATE template0`);
    sql(
      name,
      `CREATE TABLE customers (id serial PRIMARY KEY, name text); INSERT INTO customers (name) VALUES ('Ann'), ('Bob');
       CREATE TABLE orders AS SELECT n, md5(n::text) AS text FROM generate_series(1, 5000) n;`,
    );
  });
  afterAll(() => {
    sql('postgres', `DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);
    process.env.PATH = path;
  });

  const cases = sourceSuite({
    open: async () => ({ source: await plugin.create({} as never), close: async () => {} }),
    settings,
    failing: {
      'a wrong password': { ...settings, password: 'not the password' },
      'a database that is not there': { ...settings, databases: 'nowhere' },
      'a server that is not there': { ...settings, port: '1' },
    },
    secrets: [settings.password],
    assertRestored: async (into) => {
      expect(sql(into, 'SELECT count(*) FROM orders')).toBe('5000');
    },
    removeRestored: async (into) => {
      sql('postgres', `DROP DATABASE IF EXISTS ${quoted(into)} WITH (FORCE)`);
    },
  });
  for (const { name: title, run } of cases) test(title, run);
});
