import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivesOf,
  backUp,
  createRepository,
  endedJob,
  isTerminal,
  jobOf,
  type Repository,
  runningJob,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let large: string;
let small: string;
let count = 0;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  small = server.workspace.folder('small');
  makeFiles(small, 100);
  large = server.workspace.folder('large');
  makeRandomFiles(large, 40, 16);
});
afterAll(() => server?.remove());

/** zlib at its hardest makes the backup of the large folder take many seconds. */
async function slowRepository(): Promise<Repository> {
  count += 1;
  const path = join(server.workspace.path, `repository-${count}`);
  return createRepository(api, { name: path, path, source_directories: [large], compression: 'zlib,9' });
}

const noBorgLeft = (timeoutMs: number) =>
  waitFor(() => borgProcesses(server.workspace.path).length === 0, {
    what: 'the end of all borg processes',
    timeoutMs,
  });

async function expectNextBackupSucceeds(repository: Repository) {
  const changed = await api.put(`/api/repositories/${repository.id}`, {
    source_directories: [small],
    compression: 'lz4',
  });
  expect(changed.status).toBe(200);
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect((await archivesOf(api, repository.path)).map(({ name }) => name)).toContain(job.archive_name);
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  '%s in the middle of a backup, then a start: the job ends within 60 s, the next one succeeds',
  async (signal) => {
    const repository = await slowRepository();
    const id = await startBackup(api, repository.path);
    await runningJob(api, id);
    await server.stop(signal);
    const stopped = Date.now();
    await server.launch();
    const job = await endedJob(api, id, 60_000);
    expect(Date.now() - stopped).toBeLessThan(60_000);
    expect(['failed', 'cancelled']).toContain(job.status);
    expect(job.error_message).toMatch(/\w{4}/);
    await noBorgLeft(60_000 - (Date.now() - stopped));
    expect((await archivesOf(api, repository.path)).filter(({ name }) => name === job.archive_name)).toEqual(
      [],
    );
    await expectNextBackupSucceeds(repository);
  },
);

test('SIGTERM ends the service in time, with exit code 0, and takes its borg along', async () => {
  const repository = await slowRepository();
  await runningJob(api, await startBackup(api, repository.path));
  const began = Date.now();
  expect(await server.stop('SIGTERM')).toBe(0);
  expect(Date.now() - began).toBeLessThan(20_000);
  await noBorgLeft(5_000);
  await server.launch();
});

test('kill -9 without a restart: no borg is left after 60 s, and a later start tells the truth', async () => {
  const repository = await slowRepository();
  const id = await startBackup(api, repository.path);
  await runningJob(api, id);
  expect(borgProcesses(server.workspace.path).length).toBeGreaterThan(0);
  await server.stop('SIGKILL');
  await noBorgLeft(60_000);
  await server.launch();
  const job = await endedJob(api, id, 60_000);
  const made = (await archivesOf(api, repository.path)).map(({ name }) => name);
  expect(made.includes(job.archive_name ?? '')).toBe(job.status.startsWith('completed'));
  await expectNextBackupSucceeds(repository);
});

test('jobs that waited when the service was killed run after the next start', async () => {
  const repository = await slowRepository();
  const first = await startBackup(api, repository.path);
  await runningJob(api, first);
  const waiting = await startBackup(api, repository.path);
  await api.put(`/api/repositories/${repository.id}`, { source_directories: [small] });
  await server.restart('SIGKILL');
  expect(isTerminal(await endedJob(api, first, 60_000))).toBe(true);
  expect((await endedJob(api, waiting, 60_000)).status).toBe('completed');
});

test('a running backup is cancelled, its borg ends, and the next one succeeds', async () => {
  const repository = await slowRepository();
  const id = await startBackup(api, repository.path);
  await runningJob(api, id);
  const answer = await api.post(`/api/backup/cancel/${id}`);
  expect(answer.body).toMatchObject({ success: true, process_terminated: true });
  expect((await endedJob(api, id, 20_000)).status).toBe('cancelled');
  await noBorgLeft(5_000);
  const again = await api.post(`/api/backup/cancel/${id}`);
  expect(again.status).toBe(400);
  await expectNextBackupSucceeds(repository);
  expect((await jobOf(api, id)).status).toBe('cancelled');
});
