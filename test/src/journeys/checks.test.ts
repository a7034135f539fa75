import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  backUp,
  createRepository,
  endedJob,
  expectRefusal,
  type Repository,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { endedMaintenance } from '../maintenance.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import type { Database } from '../store/database.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let user: Api;
let home: Repository;
let database: Database;

const of = (repository: Repository, what: string) => `/api/repositories/${repository.id}/${what}`;
beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory', env: { MAX_CONCURRENT_JOBS: '2' } });
  api = await server.login();
  await api.post('/api/auth/users', { username: 'mallory', password: 'a password of a user' });
  database = await server.database();
  user = await server.login('mallory', 'a password of a user');
  const source = server.workspace.folder('source');
  makeFiles(source, 200);
  home = await createRepository(api, {
    name: 'home',
    path: join(server.workspace.path, 'home'),
    source_directories: [source],
  });
  expect((await backUp(api, home.path)).status).toBe('completed');
});
afterAll(() => server?.remove());

const repositoryNow = async () => (await api.get(`/api/repositories/${home.id}`)).body.repository;

test('moves last_check after a full check, but not after a partial one', async () => {
  const partial = await endedMaintenance(
    user,
    'check',
    await user.post(of(home, 'check'), { max_duration: 60 }),
  );
  expect(partial).toMatchObject({ success: true, status: 'completed', partial: true, problems_found: false });
  expect((await repositoryNow()).last_check).toBeNull();

  const job = await endedMaintenance(user, 'check', await user.post(of(home, 'check')));
  expect(job).toMatchObject({
    status: 'completed',
    check_type: 'manual',
    partial: false,
    progress: 100,
    error_message: null,
    repository: home.path,
    triggered_by: 'manual',
    requested_by: 'mallory',
    has_logs: true,
  });
  expect(job.logs).toContain('No problems found.');
  const { last_check } = await repositoryNow();
  expect(Date.parse(last_check)).toBeGreaterThanOrEqual(Date.parse(job.started_at));
  const verified = await endedMaintenance(
    user,
    'check',
    await user.post(of(home, 'check'), { verify_data: true }),
  );
  expect(verified.logs).toContain('All data was verified');

  const { body } = await user.get(of(home, 'check-jobs'), { limit: 2 });
  expect(body.jobs.map(({ id }: { id: number }) => id)).toEqual([verified.id, job.id]);
  const page = await user.get(`/api/repositories/check-jobs/${job.id}/logs`, { offset: 1, limit: 1 });
  expect(page.body).toMatchObject({ lines: [{ line_number: 2 }], has_more: true });
  const link = { query: { token: user.token ?? '' }, token: null };
  const file = await user.request('GET', `/api/repositories/check-jobs/${job.id}/logs/download`, link);
  expect(file.headers['content-disposition']).toContain(`check_job_${job.id}_logs.txt`);
  expect(file.text.trimEnd()).toBe(job.logs);
});

test('makes a check wait for a running backup until it is cancelled', async () => {
  const tool = new MemoryRepository(home.path);
  tool.hold();
  const backup = await startBackup(api, home.path);
  const started = await user.post(of(home, 'check'));
  const backupJob = new RegExp(`backup job ${backup} of repository home`);
  expect(started.body.message).toMatch(backupJob);
  const { body } = await waitFor(
    async () => {
      const waiting = await user.get(`/api/repositories/check-jobs/${started.body.job_id}`);
      return waiting.body.waiting_for !== null && waiting;
    },
    { what: 'the waiting check' },
  );
  expect(body).toMatchObject({ status: 'pending', waiting_for: expect.stringMatching(backupJob) });
  expectRefusal(await user.post(of(home, 'check')), 409, new RegExp(`check job ${started.body.job_id}`));
  await waitFor(async () => (await api.get(`/api/backup/status/${backup}`)).body.status === 'running', {
    what: 'the backup',
  });
  expectRefusal(await api.post(of(home, 'break-lock')), 409, new RegExp(`backup job ${backup}`));
  const cancelled = await user.post(`/api/repositories/check-jobs/${started.body.job_id}/cancel`);
  expect(cancelled.body).toMatchObject({ success: true, process_terminated: false });
  expectRefusal(await user.post(`/api/repositories/check-jobs/${started.body.job_id}/cancel`), 400);
  tool.release();
  expect((await endedJob(api, backup)).status).toBe('completed');
});

test('runs a scheduled check automatically in its time zone', async () => {
  const path = of(home, 'check-schedule');
  expect((await user.get(path)).body).toMatchObject({
    check_cron_expression: null,
    enabled: false,
    check_max_duration: 3600,
    next_scheduled_check: null,
    notify_on_check_success: false,
    notify_on_check_failure: true,
    repository_path: home.path,
  });
  expectRefusal(await user.request('PUT', path, { json: { cron_expression: '* * * * *' } }), 403);
  expectRefusal(await api.put(path, { cron_expression: 'each night' }), 400);
  expectRefusal(await api.put(path, { cron_expression: '0 4 * * *', timezone: 'Mars/Base' }), 400);
  const zoned = await api.put(path, { cron_expression: '0 4 1 7 *', timezone: 'Europe/Berlin' });
  expect(zoned.body.repository.next_scheduled_check).toMatch(/-07-01T02:00:00\.000Z$/);

  await api.put(path, { cron_expression: '0 4 * * *', max_duration: 0 });
  await database.all('UPDATE check_schedule SET next_run = ?', Date.now());
  const look = async () => {
    const { jobs } = (await api.get(of(home, 'check-jobs'), { limit: 1 })).body;
    return jobs[0].check_type === 'scheduled' && jobs[0].status === 'completed' && jobs[0];
  };
  const job = await waitFor(look, { what: 'the planned check', timeoutMs: 30_000 });
  expect(job).toMatchObject({ triggered_by: 'schedule', partial: false });
  expect((await api.put(path, { cron_expression: '' })).body.repository.next_scheduled_check).toBeNull();
  expect((await user.get(path)).body).toMatchObject({
    enabled: false,
    last_scheduled_check: job.requested_at,
  });
});
