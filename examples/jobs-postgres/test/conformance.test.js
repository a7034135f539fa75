import { randomUUID } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { timerServiceSuite } from '@holdfast/testkit';
import pg from 'pg';
import plugin from '../index.js';

/** For a user who may create databases. */
const serverUrl = process.env.TEST_POSTGRES_URL;
if (!serverUrl)
  throw new Error('Set TEST_POSTGRES_URL to the postgres://user:password@host:port/database of a server.');

const server = new pg.Pool({ connectionString: serverUrl, max: 1 });
after(() => server.end());

const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };

/** The plugin, created and started as the host does it, on its own database. */
async function open() {
  const name = `timers_${randomUUID().replaceAll('-', '')}`;
  await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const configuration = plugin.configuration.parse({ url: url.href });
  const timers = await plugin.create({ configuration, log });
  await timers.start();
  const close = async () => {
    await timers.stop();
    await server.query(`DROP DATABASE ${name}`);
  };
  return { timers, close };
}

describe('jobs-postgres meets the requirements of a timer service', { concurrency: 4 }, () => {
  // It has no ledger.
  const suite = timerServiceSuite({ open, lateness: 3_000 }).filter(({ name }) => !/ledger/.test(name));
  for (const { name, run } of suite) test(name, run);
});
