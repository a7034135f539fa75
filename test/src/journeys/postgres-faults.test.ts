/** A service whose PostgreSQL comes, goes, hangs and turns read-only. */
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivesOf,
  backUp,
  createRepository,
  endedJob,
  expectRefusal,
  jobOf,
  type Repository,
  startBackup,
} from '../actions.js';
import type { Answer, Api } from '../api.js';
import { TestServer } from '../server.js';
import { type PostgresServer, startPostgres } from '../services/postgres.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

const password = randomBytes(12).toString('hex');
const workspace = makeWorkspace();
const gate = join(workspace.path, 'gate');
let postgres: PostgresServer;
let server: TestServer;
let api: Api;
let repository: Repository;
let held: Repository;

const healthOf = async () => (await server.api.get('/health')).body;
const readiness = async () => (await server.api.get('/health/ready')).status;
const untilReady = (ready: boolean) =>
  waitFor(async () => (await healthOf()).ready === ready && (await readiness()) === (ready ? 200 : 503), {
    what: `health with ready ${ready}`,
    timeoutMs: 30_000,
  });

/** Each within a time that people wait: a refusal that says when to come again. */
async function expectAway(): Promise<Answer[]> {
  const began = performance.now();
  const answers = await Promise.all([
    api.get('/api/repositories/'),
    api.get('/api/backup/jobs'),
    api.post('/api/backup/start', { repository: repository.path }),
    api.put(`/api/repositories/${repository.id}`, { name: 'renamed' }),
    server.api.request('POST', '/api/auth/login', { form: { username: 'admin', password: 'x' } }),
  ]);
  expect(performance.now() - began).toBeLessThan(25_000);
  for (const answer of answers) {
    expectRefusal(answer, 503);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  }
  return answers;
}

/** A backup whose hook waits for the file `gate`. */
async function heldBackup(): Promise<number> {
  const id = await startBackup(api, held.path);
  await waitFor(() => existsSync(`${gate}.waits`), { what: 'the hook' });
  return id;
}

function openGate(): void {
  writeFileSync(gate, '');
}

beforeAll(async () => {
  postgres = await startPostgres();
  postgres.sql(`CREATE ROLE holdfast LOGIN PASSWORD '${password}'`);
  postgres.sql('CREATE DATABASE backups OWNER holdfast');
  const DATABASE_URL = postgres.url('backups', { user: 'holdfast', password });
  server = await TestServer.start({
    workspace,
    env: { DATABASE_URL, LOG_LEVEL: 'debug' },
    slowsDatabase: true,
  });
  api = await server.login();
  makeFiles(workspace.folder('source'), 50);
  const of = (name: string, more: object = {}) =>
    createRepository(api, {
      name,
      path: join(workspace.path, name),
      source_directories: [join(workspace.path, 'source')],
      ...more,
    });
  repository = await of('documents');
  const wait = `touch '${gate}.waits'; while [ ! -e '${gate}' ]; do sleep 0.05; done`;
  held = await of('held', { pre_backup_script: wait });
});
afterAll(async () => {
  await server?.remove();
  await postgres?.remove();
});

test('waits for a database that starts shortly after the service', async () => {
  await server.stop();
  await postgres.stop();
  const launched = server.launch();
  await waitFor(() => server.log.includes('the database does not respond yet; trying again'), {
    what: 'the first attempt',
    intervalMs: 20,
  });
  await postgres.launch();
  await launched;
  expect(await healthOf()).toMatchObject({ ready: true, degraded: [] });
  expect((await backUp(api, repository.path)).status).toBe('completed');
});

test('answers 503 while stopped and then ends the running job', async () => {
  const id = await heldBackup();
  await postgres.stop();
  await expectAway();
  await untilReady(false);
  openGate();
  await postgres.launch();
  await untilReady(true);
  const job = await endedJob(api, id);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(await archivesOf(api, held.path)).toHaveLength(1);
  const { body } = await api.get('/api/repositories/');
  expect(body.repositories.map(({ name }: { name: string }) => name).sort()).toEqual(['documents', 'held']);
});

test('keeps answered changes after a crash and continues', async () => {
  const created = await api.post('/api/auth/users', { username: 'late', password: 'a long enough password' });
  expect(created.status).toBeLessThan(300);
  const pending = await startBackup(api, repository.path);
  await postgres.stop('SIGQUIT');
  await expectAway();
  await postgres.launch();
  await untilReady(true);
  const users = await api.get('/api/auth/users');
  expect(users.text).toContain('"late"');
  const job = await endedJob(api, pending);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
});

test('ends every request while it hangs, and continues afterwards', async () => {
  const before = await jobOf(api, await startBackup(api, repository.path));
  const events = await fetch(`${api.baseUrl}/api/events`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  expect(events.status).toBe(200);
  const lost = events.text().catch((error: Error) => error);
  await postgres.freeze();
  try {
    await expectAway();
    await untilReady(false);
    // Who follows the events learns that there is no news any more: pages take the green away.
    expect(await lost).toBeInstanceOf(Error);
  } finally {
    postgres.signal('SIGCONT');
  }
  await untilReady(true);
  // A hang that outlives the lease of the job ends it; whoever is there then says so.
  const job = await endedJob(api, before.id);
  if (job.status !== 'completed')
    expect([job.status, job.error_message]).toEqual(['failed', expect.any(String)]);
  expect((await backUp(api, repository.path)).status).toBe('completed');
});

test('reconnects at once after all connections were terminated', async () => {
  for (let round = 0; round < 3; round += 1) {
    postgres.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'holdfast'");
    const look = async () => (await api.get('/api/repositories/')).status === 200;
    await waitFor(look, { what: 'an answer over a new connection', timeoutMs: 60_000, intervalMs: 10 });
  }
  expect((await backUp(api, repository.path)).status).toBe('completed');
});

test('reads but refuses changes on a standby, and reports it in health', async () => {
  postgres.sql(
    'ALTER SYSTEM SET default_transaction_read_only = on; SELECT pg_reload_conf()'.replace('; ', ';\n'),
  );
  await untilReady(false);
  const refused = await api.post('/api/backup/start', { repository: repository.path });
  expectRefusal(refused, 503);
  expect((await api.get('/api/repositories/')).status).toBe(200);
  const { body } = await api.get('/api/plugins');
  expect(body.plugins).toContainEqual(
    expect.objectContaining({
      id: 'postgres',
      healthy: false,
      problem: expect.stringContaining('read-only'),
    }),
  );
  postgres.sql(
    'SET default_transaction_read_only = off;\nALTER SYSTEM RESET default_transaction_read_only;\nSELECT pg_reload_conf()',
  );
  await untilReady(true);
  expect((await backUp(api, repository.path)).status).toBe('completed');
});

test('ends with one sentence within ten seconds if the database is missing', async () => {
  await server.stop();
  await postgres.stop();
  const before = server.log.length;
  const launched = server.launch().then(
    () => undefined,
    (reason: Error) => reason,
  );
  await waitFor(() => server.log.slice(before).includes('does not respond yet'), {
    what: 'the first attempt',
    intervalMs: 20,
  });
  // What comes before is the start of Node, which a busy machine makes long.
  const began = performance.now();
  const error = await launched;
  expect(performance.now() - began).toBeLessThan(20_000);
  expect(error?.message).toMatch(
    /backups at 127\.0\.0\.1:\d+ does not respond \(ECONNREFUSED\); start its server/,
  );
  await postgres.launch();
  await server.launch();
  api = await server.login();
  const { body } = await api.get('/api/backup/jobs');
  const statuses = body.jobs.map(({ status }: { status: string }) => status);
  expect(statuses.filter((status: string) => status === 'completed').length).toBeGreaterThanOrEqual(6);
  expect(statuses).not.toContain('running');
});

test('ends cleanly without unhandled rejections or the password', async () => {
  expect(server.log).not.toMatch(/unhandled promise rejection|uncaught error/);
  expect(server.log).not.toContain(password);
  for (const { text } of api.answers) expect(text).not.toContain(password);
  expect(await server.stop()).toBe(0);
  rmSync(gate, { force: true });
});
