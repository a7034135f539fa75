/** An application in containers: a program with a volume that is stopped, and a database that is dumped. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PodmanEngine } from '../../../scripts/services/podman.mjs';
import {
  archivesOf,
  backUp,
  contentsOf,
  createRepository,
  endedJob,
  jobOf,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { databaseInContainer } from '../database-in-container.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

let engine: PodmanEngine;
let server: TestServer;
let api: Api;

const start = (name: string, command: string, ...options: string[]) =>
  engine.container(name, { options, command: ['sh', '-c', command] });
const startDatabase = () => start('shop-db', databaseInContainer, '-v', 'shop-db:/data', '-e', 'PGHOST=/tmp');
const startApp = () => start('shop-app', 'trap "exit 0" TERM; sleep 1000 & wait', '-v', 'shop-files:/files');
const sql = (text: string) => engine.podman('exec', 'shop-db', 'psql', '-XAtqU', 'postgres', '-c', text);
const isRunning = (name: string) =>
  engine.podman('inspect', '--format', '{{.State.Status}}', name) === 'running';
const dumping = () => engine.podman('top', 'shop-db', 'args').includes('pg_dump');

const shop = [
  { kind: 'container', name: 'shop', settings: { stop: 'shop-app', volumes: 'shop-app:/files' } },
  { kind: 'postgresql', name: 'shop', container: 'shop-db', settings: {} },
];
let path: string;

beforeAll(async () => {
  engine = await PodmanEngine.start();
  startDatabase();
  startApp();
  await waitFor(() => attempt(() => sql('SELECT 1')) === '1', { what: 'the database in the container' });
  sql('CREATE TABLE customers (name text)');
  sql(`INSERT INTO customers VALUES ('Ann'), ('Bob')`);
  engine.podman('exec', 'shop-app', 'sh', '-c', 'echo "Dear Ann" > /files/letter.txt');
  server = await TestServer.start({ env: { PLUGIN_SOURCE_CONTAINER_SOCKET: engine.socket } });
  api = await server.login();
  path = server.workspace.folder('repositories', 'shop');
  await createRepository(api, { name: 'shop', path, sources: shop });
});
afterAll(async () => {
  await server?.remove();
  await engine?.remove();
});

/** Keeps a dump waiting. */
function lockCustomers(): void {
  const lock = `BEGIN; LOCK customers; SELECT pg_sleep(600)`;
  engine.podman('exec', '--detach', 'shop-db', 'psql', '-XqU', 'postgres', '-c', lock);
}

function unlockCustomers(): void {
  sql(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()`,
  );
}

function attempt(work: () => string): string | null {
  try {
    return work();
  } catch {
    return null;
  }
}

const dumpsIn = async (archive: string | null) => {
  const folder = 'holdfast-sources/postgresql/shop';
  const items = await contentsOf(api, { repository: path, archive: archive ?? '', path: folder });
  return items.map(({ name }) => name);
};

async function restored(path: string, input: object) {
  const { status, error_message } = await endedRestore(api, await api.post(path, input));
  expect([status, error_message]).toEqual(['completed', null]);
}

test('backs up a database in a container and the volume of a stopped one', async () => {
  const job = await backUp(api, path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect(await dumpsIn(job.archive_name)).toEqual(['globals.sql', 'postgres.dump']);
  const volume = engine.podman('volume', 'inspect', '--format', '{{.Mountpoint}}', 'shop-files');
  const files = await contentsOf(api, {
    repository: path,
    archive: job.archive_name ?? '',
    path: volume.slice(1),
  });
  expect(files.map(({ name }) => name)).toEqual(['letter.txt']);
  expect(isRunning('shop-app')).toBe(true);
});

test('starts containers again within 60 s after kill -9, and keeps no half dump', async () => {
  const before = (await archivesOf(api, path)).length;
  lockCustomers();
  const id = await startBackup(api, path);
  await waitFor(dumping, { what: 'a dump that waits' });
  expect(isRunning('shop-app')).toBe(false);
  await server.stop('SIGKILL');
  await server.launch();
  const relaunched = Date.now();
  await waitFor(() => isRunning('shop-app') && !dumping(), { what: 'the release', timeoutMs: 60_000 });
  expect(Date.now() - relaunched).toBeLessThan(60_000);
  const job = await endedJob(api, id);
  expect(job.status).toBe('failed');
  unlockCustomers();
  expect(await archivesOf(api, path)).toHaveLength(before);
  const next = await backUp(api, path);
  expect([next.status, next.error_message]).toEqual(['completed', null]);
});

test('backs up repositories that stop the same container one after the other', async () => {
  const other = server.workspace.folder('repositories', 'other');
  const sources = [{ kind: 'container', name: 'app', settings: { stop: 'shop-app', volumes: 'shop-app' } }];
  await createRepository(api, { name: 'other', path: other, sources });
  lockCustomers();
  const first = await startBackup(api, path);
  await waitFor(dumping, { what: 'a dump that waits' });
  const second = await startBackup(api, other);
  const waiting = async () => (await jobOf(api, second)).waiting_for;
  expect(await waitFor(waiting, { what: 'the second backup to wait' })).toBe(
    `backup job ${first} of repository shop, which prepares the same source`,
  );
  unlockCustomers();
  const [one, two] = [await endedJob(api, first), await endedJob(api, second)];
  expect([one.status, two.status]).toEqual(['completed', 'completed']);
  expect(Date.parse(two.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(one.completed_at ?? ''));
  expect(isRunning('shop-app')).toBe(true);
});

test('restores a destroyed application with the same data', async () => {
  const { archive_name: archive } = await backUp(api, path);
  const volume = engine.podman('volume', 'inspect', '--format', '{{.Mountpoint}}', 'shop-files');
  engine.podman('rm', '--force', '--time=0', 'shop-app', 'shop-db');
  engine.podman('volume', 'rm', 'shop-files', 'shop-db');
  startDatabase();
  startApp();
  await waitFor(() => attempt(() => sql('SELECT 1')) === '1', { what: 'the database in the container' });
  const files = { repository: path, archive, paths: [volume.slice(1)], destination: '/', overwrite: true };
  await restored('/api/restore/start', files);
  expect(engine.podman('exec', 'shop-app', 'cat', '/files/letter.txt')).toBe('Dear Ann');
  const dump = { repository: path, archive, path: 'holdfast-sources/postgresql/shop/postgres.dump' };
  const taken = await endedRestore(api, await api.post('/api/restore/dump', { ...dump, into: 'postgres' }));
  expect(taken.status).toBe('failed');
  expect(taken.error_message).toContain('choose another name');
  const wrong = await api.post('/api/restore/dump', { ...dump, into: 'postgres', replace: 'shop' });
  expect([wrong.status, wrong.body.code]).toEqual([400, 'dump_replace_mismatch']);
  await restored('/api/restore/dump', { ...dump, into: 'shop' });
  const names = engine.podman(
    'exec',
    'shop-db',
    'psql',
    '-XAtqU',
    'postgres',
    'shop',
    '-c',
    'TABLE customers',
  );
  expect(names).toBe('Ann\nBob');
});
