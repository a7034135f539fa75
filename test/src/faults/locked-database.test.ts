/** An SQLite file that another process keeps locked for longer than a job may go unconfirmed. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, endedJob, expectRefusal } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { SqliteDatabase } from '../store/sqlite-database.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { HeldRepository } from './held-job.js';
import { expectSound, type SystemUnderTest } from './invariants.js';

/** A lease of 20 s, and 5 s until it is taken over. */
const longerThanLease = 27_000;
let server: TestServer;
let api: Api;
let database: SqliteDatabase;
let system: SystemUnderTest;
let held: HeldRepository;
let path: string;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  const source = server.workspace.folder('source');
  makeFiles(source, 50);
  path = join(server.workspace.path, 'plain');
  const repository = await createRepository(api, { name: 'plain', path, source_directories: [source] });
  held = await HeldRepository.make(api, { folder: server.workspace.path, source, at: 'after' });
  database = await SqliteDatabase.open(join(server.dataDirectory, 'holdfast.db'));
  system = { server, api, database, repository, accepted: [] };
});
afterAll(async () => {
  await database?.close();
  await server?.remove();
});

const ready = async () => (await server.api.get('/health')).body.ready;
const untilReady = (expected: boolean) =>
  waitFor(async () => (await ready()) === expected, { what: `ready ${expected}`, timeoutMs: 40_000 });

async function expectLocked() {
  const began = performance.now();
  const refused = await api.post('/api/backup/start', { repository: path });
  expectRefusal(refused, 503);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect((await api.get('/api/backup/jobs')).status).toBe(200);
  await untilReady(false);
  const { body } = await api.get('/api/plugins');
  expect(body.plugins).toContainEqual(expect.objectContaining({ id: 'sqlite', healthy: false }));
  return performance.now() - began;
}

test('refuses changes with a retry time and continues the job afterwards', {
  timeout: 120_000,
}, async () => {
  const id = await held.begin(api);
  system.accepted.push(id);
  await database.holdWrites();
  try {
    const spent = await expectLocked();
    await pause(Math.max(0, longerThanLease - spent));
    expect(server.log).toContain('the lease of a job expired unconfirmed');
  } finally {
    await database.letWrite();
  }
  held.letGo();
  expect((await endedJob(api, id, 60_000)).status).toBe('completed');
  await untilReady(true);
  await expectSound(system);
});
