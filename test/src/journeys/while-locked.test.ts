import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  archived,
  archivesOf,
  backUp,
  contentsOf,
  createRepository,
  download,
  endedJob,
  expectRefusal,
  jobOf,
  passphrase,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { HeldSource, onlyFrom } from '../held-source.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let source: string;
let held: HeldSource;
let repository: string;
let older: string;
let id: number;
let holder: ChildProcess | undefined;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  source = server.workspace.folder('source');
  makeFiles(source, 300);
  held = new HeldSource(server.workspace.folder('held'));
  repository = join(server.workspace.path, 'repository');
  const input = { name: 'r', path: repository, source_directories: [source] };
  id = (await createRepository(api, input)).id;
  older = (await backUp(api, repository)).archive_name ?? '';
});
afterEach(async () => {
  if (holder === undefined) return;
  const ended = once(holder, 'exit');
  process.kill(-(holder.pid ?? 0), 'SIGTERM');
  await ended;
  holder = undefined;
});
afterAll(() => server?.remove());

async function inTime<T>(work: Promise<T>, limitMs: number): Promise<T> {
  const began = Date.now();
  const answer = await work;
  expect(Date.now() - began).toBeLessThan(limitMs);
  return answer;
}

test('lists, browses and downloads while a backup holds the lock', async () => {
  await contentsOf(api, { repository, archive: older, path: archived(source) });
  await api.put(`/api/repositories/${id}`, held.settings);
  const job = await startBackup(api, repository);
  await held.reached();

  expect(await inTime(archivesOf(api, repository), 5_000)).toHaveLength(1);
  const items = await inTime(contentsOf(api, { repository, archive: older, path: archived(source) }), 5_000);
  expect(items).toHaveLength(3);
  const info = `/api/archives/${older}/info`;
  expect((await inTime(api.get(info, { repository }), 10_000)).body.info.name).toBe(older);
  expectRefusal(
    await inTime(api.get('/api/archives/none-such/info', { repository }), 5_000),
    404,
    /none-such/,
  );
  expectRefusal(await inTime(api.delete('/api/archives/none-such', { repository }), 5_000), 404);
  const path = `${archived(source)}/dir-0001/file-000123.txt`;
  const file = await inTime(download(api, { repository, archive: older, path }), 25_000);
  expect([200, 409]).toContain(file.status);
  if (file.status === 409) expect(file.headers['retry-after']).toMatch(/^\d+$/);

  expect((await jobOf(api, job)).status).toBe('running');
  await held.release();
  expect((await endedJob(api, job)).status).toBe('completed');
});

/** Someone else's borg, with a host of its own, so that nobody may think its lock stale. */
async function lockFromOutside(): Promise<void> {
  const mark = join(server.workspace.path, `locked-${Date.now()}`);
  holder = spawn('borg', ['with-lock', repository, 'sh', '-c', `touch ${mark}; exec sleep 300`], {
    env: {
      PATH: process.env.PATH,
      HOME: server.workspace.path,
      BORG_BASE_DIR: server.workspace.folder('other-borg'),
      BORG_PASSPHRASE: passphrase,
      BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes',
      BORG_HOST_ID: 'another-host@1234',
    },
    stdio: 'ignore',
    detached: true,
  });
  await waitFor(() => existsSync(mark), { what: 'the lock of another borg', timeoutMs: 60_000 });
}

test('shows cached data while locked by others, and refuses the rest', async () => {
  await lockFromOutside();
  expect((await inTime(archivesOf(api, repository), 25_000)).map(({ name }) => name)).toContain(older);
  const newest = (await archivesOf(api, repository)).at(-1)?.name ?? '';
  const cold = await inTime(api.get(`/api/archives/${newest}/contents`, { repository }), 30_000);
  expectRefusal(cold, 409, /lock/i);
  expect(cold.text).not.toContain(passphrase);

  const { body: created } = await api.post('/api/repositories/import', {
    name: 'the same again',
    path: `${repository}/../repository`,
    passphrase,
  });
  expect(created.detail).toMatch(/\w/);
});

test('fails a backup because of a foreign lock and frees the lane', async () => {
  await api.put(`/api/repositories/${id}`, onlyFrom(source));
  await lockFromOutside();
  const job = await endedJob(api, await startBackup(api, repository), 200_000);
  expect(job.status).toBe('failed');
  expect(job.error_message).toMatch(/lock/i);
});

test('backs up again when the lock is gone', async () => {
  expect((await backUp(api, repository)).status).toBe('completed');
});
