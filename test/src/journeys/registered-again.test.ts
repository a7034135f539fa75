import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivesOf,
  createRepository,
  endedJob,
  expectRefusal,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

let server: TestServer;
let api: Api;
let repository: Repository;
let schedule: number;
let job: number;

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory' });
  api = await server.login();
  const source = server.workspace.folder('source');
  makeFiles(source, 3);
  const path = join(server.workspace.path, 'repository');
  repository = await createRepository(api, { name: 'home', path, source_directories: [source] });
  const other = join(server.workspace.path, 'other');
  const second = await createRepository(api, { name: 'other', path: other, source_directories: [source] });
  const made = await api.post('/api/schedule/', {
    name: 'nightly',
    cron_expression: '0 0 1 1 *',
    repository_ids: [repository.id, second.id],
  });
  schedule = made.body.job.id;
  const run = await api.post(`/api/schedule/${schedule}/run-now`);
  for (const id of run.body.job_ids) expect((await endedJob(api, id)).status).toBe('completed');
  [job] = run.body.job_ids;
}, 200_000);
afterAll(() => server?.remove());

test('restores the settings and history of a repository that is imported again', async () => {
  const of = `/api/repositories/${repository.id}`;
  const removed = await api.delete(of);
  expect(removed.body.switched_off).toEqual({
    schedules: [{ id: schedule, name: 'nightly', disabled: false }],
    check_schedule: false,
    drill_schedule: false,
    notifications: [],
  });
  expectRefusal(await api.get(of), 404);
  expect((await api.get('/api/repositories/')).body.repositories).toHaveLength(1);
  expect((await api.get(`/api/jobs/${job}`)).body.job.repository_id).toBeNull();
  expect((await api.get(`/api/schedule/${schedule}`)).body.job.repository_ids).not.toContain(repository.id);

  const { path } = repository;
  const wanted = {
    name: 'home again',
    path,
    passphrase,
    source_directories: [server.workspace.folder('source')],
  };
  const again = await api.post('/api/repositories/import', { ...wanted, path });
  expect([again.status, again.body.repository?.id, again.body.message]).toEqual([
    ...[201, repository.id, expect.stringContaining('registered before')],
  ]);
  expect((await api.get(`/api/jobs/${job}`)).body.job.repository_id).toBe(repository.id);
  expect((await api.get(`/api/schedule/${schedule}`)).body.job.repository_ids).toContain(repository.id);
  const [archive] = await archivesOf(api, path);
  expect(archive).toMatchObject({ schedule_id: schedule });
  const figures = (await api.get('/metrics')).text;
  expect(figures).toMatch(/^bk_backup_orphaned_jobs_total 0$/m);
  expect(figures).toContain('repository="home again"');
});
