import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archived,
  archivesOf,
  backUp,
  contentsOf,
  createRepository,
  deleteArchive,
  download,
  expectRefusal,
  type Job,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Api } from '../api.js';
import { endedMaintenance } from '../maintenance.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { TestSshd } from '../services/sshd.js';
import { type Connection, connectionActions, quickSetup, sshLocation } from '../ssh-actions.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let sshd: TestSshd;
let api: Api;
let source: string;
let connection: Connection;
let repository: Repository;

beforeAll(async () => {
  [server, sshd] = await Promise.all([TestServer.start(), TestSshd.start()]);
  api = await server.login();
  connection = await quickSetup(api, sshd);
  source = server.workspace.folder('source');
  makeFiles(source, 150);
});
afterAll(async () => {
  await server?.remove();
  await sshd?.remove();
});

const actions = () => connectionActions(api, connection.id);
const remote = (...parts: string[]) => join(sshd.home, ...parts);
const fileName = 'dir-0001/file-000120.txt';

async function isBackedUp(repository: Repository): Promise<Job> {
  const job = await backUp(api, repository.path);
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  return job;
}

async function useAsALocalOne(repository: Repository): Promise<void> {
  const job = await isBackedUp(repository);
  const archives = await archivesOf(api, repository.path);
  expect(archives.map(({ name }) => name)).toContain(job.archive_name);
  const place = { repository: repository.path, archive: job.archive_name ?? '' };
  const items = await contentsOf(api, { ...place, path: archived(join(source, 'dir-0001')) });
  expect(items).toHaveLength(50);
  const file = await download(api, { ...place, path: archived(join(source, fileName)) });
  expect(file.status).toBe(200);
  expect(file.bytes.equals(readFileSync(join(source, fileName)))).toBe(true);
  const folder = { ...place, file_path: archived(source), format: 'tar' };
  const { bytes } = await api.get('/api/archives/download', folder);
  const names = execFileSync('tar', ['-t'], { input: bytes, encoding: 'utf8' }).trim().split('\n');
  expect(names).toContain(archived(join(source, fileName)));
}

test('is created with its parent folders', async () => {
  repository = await createRepository(api, {
    name: 'remote',
    path: remote('new', 'deep folder', 'r'),
    connection_id: connection.id,
    source_directories: [source],
  });
  expect(repository).toMatchObject({
    path: sshLocation(sshd, remote('new', 'deep folder', 'r')),
    repository_type: 'ssh',
    host: sshd.host,
    port: sshd.port,
    username: sshd.username,
    ssh_key_id: connection.ssh_key_id,
    connection_id: connection.id,
  });
  expect(statSync(remote('new', 'deep folder', 'r', 'config')).uid).toBe(sshd.account.uid);
});

test('is backed up, browsed, and a file of it downloaded', () => useAsALocalOne(repository));

test('deletes its archives', async () => {
  await isBackedUp(repository);
  const [first] = await archivesOf(api, repository.path);
  const deleted = await deleteArchive(api, repository.path, first?.name ?? '');
  expect(deleted).toMatchObject({ status: 'completed' });
  expect(await archivesOf(api, repository.path)).toHaveLength(1);
});

test('is checked, pruned and compacted, and its lock broken', async () => {
  const of = (verb: string) => `/api/repositories/${repository.id}/${verb}`;
  await isBackedUp(repository);
  expect(await endedMaintenance(api, 'check', await api.post(of('check')))).toMatchObject({
    status: 'completed',
    problems_found: false,
  });
  const rules = { keep_daily: 1, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0 };
  const pruned = await api.post(of('prune'), rules);
  expect(pruned.body).toMatchObject({ status: 'completed', archives: [{}, { rule: 'removed' }] });
  expect(await archivesOf(api, repository.path)).toHaveLength(1);
  const compact = await endedMaintenance(api, 'compact', await api.post(of('compact')));
  expect(compact).toMatchObject({ status: 'completed', freed_bytes: expect.any(Number) });
  expect((await api.post(of('break-lock'))).body).toMatchObject({ success: true, holder: null });
});

test('matches the plain tool on the host', async () => {
  // root's own tool would leave files of root: it gets a copy.
  const there = new Borg(remote('new', 'deep folder', 'r'), server.workspace.folder('base'), { passphrase });
  const borg = there.copy(server.workspace.folder('bare'));
  expect(await borg.list()).toHaveLength(1);
  expect(await borg.run('check', '--verify-data', borg.repository)).not.toMatch(/error/i);
});

test('is removed and imported again, even by its full address', async () => {
  expect((await api.delete(`/api/repositories/${repository.id}`)).status).toBe(200);
  const input = {
    name: 'again',
    path: repository.path,
    connection_id: connection.id,
    source_directories: [source],
  };
  expectRefusal(await api.post('/api/repositories/import', { ...input, passphrase: 'wrong' }), 400);
  const imported = await api.post('/api/repositories/import', { ...input, passphrase });
  expect(imported.body).toMatchObject({ repository: { path: repository.path, archive_count: 1 } });
  repository = imported.body.repository;
});

test('works the same after a restart', async () => {
  await server.restart();
  api = await server.login();
  expect((await actions().test()).body).toMatchObject({ success: true, status: 'connected' });
  expect((await actions().refreshStorage()).body).toMatchObject({ success: true });
  await useAsALocalOne(repository);
});

test('allows another one on the same host after the restart', async () => {
  const second = await createRepository(api, {
    name: 'second',
    path: remote('second'),
    connection_id: connection.id,
    encryption: 'keyfile',
    source_directories: [source],
  });
  await isBackedUp(second);
});
