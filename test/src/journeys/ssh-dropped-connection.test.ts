import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivesOf,
  backUp,
  createRepository,
  endedJob,
  type Repository,
  runningJob,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { HeldSource, onlyFrom } from '../held-source.js';
import { borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, quickSetup } from '../ssh-actions.js';
import { makeEndlessFiles, makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let connection: Connection;
let held: HeldSource;
let small: string;

beforeAll(async () => {
  server = await TestServer.start();
  sshd = await TestSshd.start({ smallDisk: 40 });
  api = await server.login();
  connection = await quickSetup(api, sshd);
  small = server.workspace.folder('small');
  makeFiles(small, 50);
  held = new HeldSource(server.workspace.folder('held'));
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const repositoryThere = (name: string, settings: object) =>
  createRepository(api, {
    name,
    path: join(sshd.home, name),
    connection_id: connection.id,
    ...settings,
  });

/** Runs a command on a file of the small disk, which only the host sees. */
function onSmallDisk(...command: string[]): void {
  const file = join(sshd.home, 'small', 'ballast');
  execFileSync('nsenter', ['--target', `${sshd.pid}`, '--mount', ...command, file]);
}

async function expectNextBackupSucceeds(repository: Repository): Promise<void> {
  await api.put(`/api/repositories/${repository.id}`, onlyFrom(small));
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  expect((await archivesOf(api, repository.path)).map(({ name }) => name)).toContain(job.archive_name);
}

test('fails with the reason after kill -9 of the session, and backs up again', async () => {
  const repository = await repositoryThere('killed', held.settings);
  const id = await startBackup(api, repository.path);
  await held.reached();
  expect(sshd.killSessions()).toBeGreaterThan(0);
  await held.release();
  const job = await endedJob(api, id, 60_000);
  expect(job.status).toBe('failed');
  expect(job.error_message).toMatch(/connection|closed/i);
  expect(job.error_message).not.toContain('Traceback');
  const log = await api.get(`/api/backup/logs/${id}/stream`);
  expect(log.body.total_lines).toBeGreaterThan(0);
  expect(borgProcesses(server.workspace.path)).toEqual([]);
  await expectNextBackupSucceeds(repository);
});

/** A backup in whose middle the service died: others may take it up only after a while. */
let cutOff: { id: number; repository: Repository };

test('restarts after a kill of the service during a backup', async () => {
  const repository = await repositoryThere('service-killed', held.settings);
  const id = await startBackup(api, repository.path);
  await held.reached();
  await server.restart('SIGKILL');
  api = await server.login();
  cutOff = { id, repository };
});

test('ends the session when a backup is cancelled, and backs up again', async () => {
  const endless = server.workspace.folder('endless');
  makeEndlessFiles(endless);
  const repository = await repositoryThere('cancelled', onlyFrom(endless));
  const id = await startBackup(api, repository.path);
  await runningJob(api, id);
  expect((await api.post(`/api/backup/cancel/${id}`)).status).toBe(200);
  expect((await endedJob(api, id, 20_000)).status).toBe('cancelled');
  await waitFor(() => sshd.commands().length === 0, { what: 'the end of the session', timeoutMs: 60_000 });
  await expectNextBackupSucceeds(repository);
});

test('fails with a readable reason when the disk of the host fills up', async () => {
  onSmallDisk('fallocate', '--length', '2M');
  const large = server.workspace.folder('large');
  makeRandomFiles(large, 4, 16);
  const repository = await repositoryThere('full', {
    ...onlyFrom(large),
    path: join(sshd.home, 'small', 'r'),
  });
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('failed');
  expect(job.error_message).toMatch(/space|full/i);
  expect(job.error_message).not.toContain('Traceback');
  // The tool there needs a little space even to tidy up: somebody must make some.
  onSmallDisk('rm');
  await expectNextBackupSucceeds(repository);
  expect(await archivesOf(api, repository.path)).toHaveLength(1);
});

test('leaves no session of the killed service, fails the backup and repeats it', async () => {
  const { id, repository } = cutOff;
  expect((await endedJob(api, id, 60_000)).status).toMatch(/failed|cancelled/);
  const nobody = () => sshd.commands().length === 0;
  await waitFor(nobody, { what: 'the end of all sessions', timeoutMs: 60_000 });
  await expectNextBackupSucceeds(repository);
});

test('recovers when the host goes away and returns', async () => {
  const repository = await repositoryThere('away', onlyFrom(small));
  await sshd.stop();
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('failed');
  expect(job.error_message).toMatch(/127\.0\.0\.1|refused|reach/i);
  const shown = await connectionActions(api, connection.id).show();
  expect(shown).toMatchObject({ status: 'failed', error_message: expect.stringMatching(/refused|reach/i) });
  await sshd.launch();
  await expectNextBackupSucceeds(repository);
  // The status follows real use.
  const again = await connectionActions(api, connection.id).show();
  expect(again).toMatchObject({ status: 'connected', error_message: null });
});
