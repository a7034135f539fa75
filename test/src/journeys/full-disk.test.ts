import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, endedJob, passphrase, type Repository, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { Borg } from '../oracles/borg.js';
import { borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
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

test('fails with a readable reason when the disk fills up during a backup', async () => {
  const job = await backUp(api, repository.path);
  expect(job.status).toBe('failed');
  expect(job.error_message).toMatch(/space|full/i);
  expect(job.error_message).not.toContain('Traceback');
  expect(borgProcesses(server.workspace.path)).toEqual([]);
  const log = await api.get(`/api/backup/logs/${job.id}/stream`);
  expect(log.body.total_lines).toBeGreaterThan(0);
});

test('releases the repository, lists its archives and takes a smaller backup', async () => {
  await api.put(`/api/repositories/${repository.id}`, {
    source_directories: [join(server.workspace.path, 'small')],
  });
  const job = await endedJob(api, await startBackup(api, repository.path));
  expect([job.status, job.error_message]).toEqual(['completed', null]);
  const { body } = await api.get('/api/archives/list', { repository: repository.path });
  expect(body.archives.map(({ name }: { name: string }) => name)).toEqual([job.archive_name]);
});

/** Archives of a few files fit, and the large ones don't. */
async function limited(): Promise<Repository> {
  const path = join(server.workspace.path, 'limited');
  const borg = new Borg(path, server.workspace.folder('by-hand'), { passphrase });
  await borg.run('init', '--encryption', 'repokey', '--storage-quota', '20M', path);
  const source_directories = [join(server.workspace.path, 'large')];
  const input = { name: 'limited', path, passphrase, source_directories };
  const answer = await api.post('/api/repositories/import', input);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.repository;
}

test.each([
  ['no_space', () => repository],
  ['repository_quota', limited],
])('fails a scheduled run once without space (%s), and runs the next one', async (kind, make) => {
  const { id, path } = await make();
  const from = (folder: string) =>
    api.put(`/api/repositories/${id}`, { source_directories: [join(server.workspace.path, folder)] });
  const open = async () =>
    (await api.get('/api/incidents', { open: 'true' })).body.incidents.map(
      ({ cause, repository_id }: { cause: string; repository_id: number }) => [cause, repository_id],
    );
  const errorKind = async () => (await api.get(`/api/repositories/${id}`)).body.repository.open_error_kind;
  await from('large');
  const plan = { name: kind, cron_expression: '0 0 1 1 *', repository_ids: [id] };
  const schedule = (await api.post('/api/schedule/', plan)).body.job.id;
  const run = async () => {
    const { job_ids } = (await api.post(`/api/schedule/${schedule}/run-now`)).body;
    return endedJob(api, job_ids[0]);
  };
  const failed = await run();
  expect([failed.status, await errorKind()]).toEqual(['failed', kind]);
  await waitFor(async () => `${await open()}`.includes(`storage_full,${id}`), { what: 'the incident' });
  await from('small');
  const next = await run();
  expect([next.status, next.error_message, await errorKind()]).toEqual(['completed', null, null]);
  await waitFor(async () => !`${await open()}`.includes(`storage_full,${id}`), { what: 'its end' });
  const { body } = await api.get('/api/backup/jobs', { repository: path });
  const ofSchedule = body.jobs.filter(
    (job: { scheduled_job_id: number }) => job.scheduled_job_id === schedule,
  );
  expect(ofSchedule.map((job: { id: number }) => job.id).sort()).toEqual([failed.id, next.id]);
});
