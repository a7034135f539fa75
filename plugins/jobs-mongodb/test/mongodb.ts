import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { MongoClient } from 'mongodb';
import { MongoServer } from '../../../scripts/services/mongo-server.mjs';
import plugin from '../src/index.js';
import { type QuietLog, quietLog } from './quiet-log.js';

/** The server that all tests of a run share; absent when the tests run without `npm test`. */
export const sharedServer = process.env.TEST_MONGODB_URI ?? '';
const program = process.env.TEST_MONGOD ?? '';

/** A server of the test's own, to be stopped and started. */
export const startServer = (): Promise<MongoServer> => MongoServer.start(program);
export type { MongoServer };

/** The same server with another database. */
export function withDatabase(uri: string, name: string): string {
  const [, hosts, query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(uri) ?? [];
  return `${hosts}/${name}${query}`;
}

export const newDatabase = () =>
  withDatabase(sharedServer, `holdfast_test_${randomBytes(6).toString('hex')}`);

export async function dropDatabase(uri: string): Promise<void> {
  const client = new MongoClient(uri);
  await client.db().dropDatabase();
  await client.close();
}

export type MongoTimers = Awaited<ReturnType<typeof plugin.create>> & { log: QuietLog };

/** The plugin as the host makes it; not started. */
export async function makeClock(uri: string): Promise<MongoTimers> {
  const log = quietLog();
  const timers = await plugin.create({
    configuration: plugin.configuration.parse({ uri }),
    log,
    clock: Date,
    dataFolder: tmpdir(),
    fetch,
  });
  return Object.assign(timers, { log });
}

export async function startClock(uri: string): Promise<MongoTimers> {
  const timers = await makeClock(uri);
  await timers.start?.();
  return timers;
}
