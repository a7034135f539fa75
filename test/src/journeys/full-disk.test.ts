import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, endedJob, type Repository, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { makeWorkspace } from '../workspace.js';

let server: TestServer;
let api: Api;
let repository: Repository;

beforeAll(async () => {
  const workspace = makeWorkspace();
  const disk = workspace.folder('disk');
  // A small disk that only this service sees, and that goes with it.
  const mount = `mount -t tmpfs -o size=60m tmpfs '${disk}' && exec "$@"`;
  const namespace = process.getuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
  server = await TestServer.start({ workspace, wrapper: ['unshare', ...namespace, 'sh', '-c', mount, 'sh'] });
  api = await server.login();
  makeRandomFiles(server.workspace.folder('large'), 5, 16);
  makeFiles(server.workspace.folder('small'), 50);
  repository = await createRepository(api, {
    name: 'r',
    path: join(disk, 'repository'),
    source_directories: [join(workspace.path, 'large')],
  });
});
afterAll(() => server?.remove());

test('a disk that becomes full in the middle of a backup: failed, with the reason in words', async () => {
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('failed');
  expect(job.error_message).toMatch(/space|full/i);
  expect(job.error_message).not.toContain('Traceback');
  expect(borgProcesses(server.workspace.path)).toEqual([]);
  const log = await api.get(`/api/backup/logs/${job.id}/stream`);
  expect(log.body.total_lines).toBeGreaterThan(0);
});

test('the repository is free, lists what it has, and takes a backup that fits', async () => {
  await api.put(`/api/repositories/${repository.id}`, {
    source_directories: [join(server.workspace.path, 'small')],
  });
  const job = await endedJob(api, await startBackup(api, repository.path));
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const { body } = await api.get('/api/archives/list', { repository: repository.path });
  expect(body.archives.map(({ name }: { name: string }) => name)).toEqual([job.archive_name]);
});
