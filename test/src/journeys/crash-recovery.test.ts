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
import { makeEndlessFiles, makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let endless: string;
let small: string;
let repository: Repository;

beforeAll(async () => {
  server = await TestServer.start({ env: { SHUTDOWN_GRACE_SECONDS: '1' } });
  api = await server.login();
  small = server.workspace.folder('small');
  makeFiles(small, 100);
  endless = server.workspace.folder('endless');
  makeEndlessFiles(endless);
  const path = join(server.workspace.path, 'repository');
  repository = await createRepository(api, { name: 'r', path, source_directories: [small] });
});
afterAll(() => server?.remove());

async function backsUp(source: string) {
  const changed = await api.put(`/api/repositories/${repository.id}`, { source_directories: [source] });
  expect(changed.status).toBe(200);
}

/** A backup that is at work and does not end by itself. */
async function endlessBackup(): Promise<number> {
  await backsUp(endless);
  const id = await startBackup(api, repository.path);
  await runningJob(api, id);
  return id;
}

const noBorgLeft = (timeoutMs: number) =>
  waitFor(() => borgProcesses(server.workspace.path).length === 0, {
    what: 'the end of all borg processes',
    timeoutMs,
  });

async function expectNextBackupSucceeds() {
  await backsUp(small);
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect((await archivesOf(api, repository.path)).map(({ name }) => name)).toContain(job.archive_name);
}

test.each(['SIGTERM', 'SIGKILL'] as const)(
  'ends a backup within 60 s after %s, and backs up again',
  async (signal) => {
    const id = await endlessBackup();
    const asked = Date.now();
    const code = await server.stop(signal);
    const stopped = Date.now();
    if (signal === 'SIGTERM') {
      // It ends in time, and takes its borg along.
      expect(code).toBe(0);
      expect(stopped - asked).toBeLessThan(20_000);
      await noBorgLeft(5_000);
    }
    await server.launch();
    const job = await endedJob(api, id, 60_000);
    expect(Date.now() - stopped).toBeLessThan(60_000);
    expect(['failed', 'cancelled']).toContain(job.status);
    expect(job.error_message).toMatch(/\w{4}/);
    await noBorgLeft(60_000 - (Date.now() - stopped));
    const names = (await archivesOf(api, repository.path)).map(({ name }) => name);
    expect(names).not.toContain(job.archive_name);
    await expectNextBackupSucceeds();
  },
);

test('leaves no borg 60 s after kill -9, and reports it correctly later', async () => {
  const id = await endlessBackup();
  expect(borgProcesses(server.workspace.path).length).toBeGreaterThan(0);
  await server.stop('SIGKILL');
  await noBorgLeft(60_000);
  await server.launch();
  const job = await endedJob(api, id, 60_000);
  const made = (await archivesOf(api, repository.path)).map(({ name }) => name);
  expect(made.includes(job.archive_name ?? '')).toBe(job.status.startsWith('completed'));
  await expectNextBackupSucceeds();
});

test('runs pending jobs of a killed service after the next start', async () => {
  const first = await endlessBackup();
  const waiting = await startBackup(api, repository.path);
  await backsUp(small);
  await server.restart('SIGKILL');
  expect(isTerminal(await endedJob(api, first, 60_000))).toBe(true);
  expect((await endedJob(api, waiting, 60_000)).status).toBe('completed');
});

test('ends borg when a running backup is cancelled, and backs up again', async () => {
  const id = await endlessBackup();
  const answer = await api.post(`/api/backup/cancel/${id}`);
  expect(answer.body).toMatchObject({ success: true, process_terminated: true });
  expect((await endedJob(api, id, 120_000)).status).toBe('cancelled');
  await noBorgLeft(5_000);
  const again = await api.post(`/api/backup/cancel/${id}`);
  expect(again.status).toBe(400);
  await expectNextBackupSucceeds();
  expect((await jobOf(api, id)).status).toBe('cancelled');
});
