import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  backUp,
  createRepository,
  endedJob,
  expectRefusal,
  passphrase,
  type Repository,
  startBackup,
} from '../actions.js';
import type { Api } from '../api.js';
import { HeldSource, onlyFrom } from '../held-source.js';
import { endedMaintenance, flipOneBit } from '../maintenance.js';
import { borgProcesses } from '../processes.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import type { Database } from '../store/database.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let user: Api;
let home: Repository;
let database: Database;

const of = (repository: Repository, what: string) => `/api/repositories/${repository.id}/${what}`;
/** The kinds of the events of one job, beside those that every job has. */
const eventsOf = async (jobId: number) =>
  (
    await database.all<{ kind: string }>(
      "SELECT kind FROM event WHERE kind NOT LIKE 'job_%' AND job_id = ?",
      jobId,
    )
  ).map(({ kind }) => kind);

beforeAll(async () => {
  server = await TestServer.start({ env: { MAX_CONCURRENT_JOBS: '2' } });
  api = await server.login();
  await api.post('/api/auth/users', { username: 'mallory', password: 'a password of a user' });
  database = await server.database();
  user = await server.login('mallory', 'a password of a user');
  const source = server.workspace.folder('source');
  makeRandomFiles(join(source, 'random'), 3, 2);
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
  expect(job.logs).toContain('Archive consistency check complete, no problems found.');
  const { last_check } = await repositoryNow();
  expect(Date.parse(last_check)).toBeGreaterThanOrEqual(Date.parse(job.started_at));
  const verified = await endedMaintenance(
    user,
    'check',
    await user.post(of(home, 'check'), { verify_data: true }),
  );
  expect(verified.logs).toContain('integrity verification');

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
  const held = new HeldSource(server.workspace.folder('held'));
  await api.put(`/api/repositories/${home.id}`, held.settings);
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
  await held.release();
  expect((await endedJob(api, backup)).status).toBe('completed');
  await api.put(`/api/repositories/${home.id}`, onlyFrom(server.workspace.folder('source')));
});

test('cancels a check that waits for a foreign lock, and breaks the lock', async () => {
  mkdirSync(join(home.path, 'lock.exclusive'));
  writeFileSync(join(home.path, 'lock.exclusive', 'elsewhere.example@1234.4711-0'), '');
  const started = await user.post(of(home, 'check'));
  const { job_id } = started.body;
  await waitFor(async () => (await user.get(of(home, 'running-jobs'))).body.check_job?.id === job_id, {
    what: 'the running check',
  });
  await waitFor(() => borgProcesses(home.path).length > 0, { what: 'the tool' });
  const cancelled = await user.post(`/api/repositories/check-jobs/${job_id}/cancel`);
  expect(cancelled.body).toMatchObject({ success: true, process_terminated: true });
  expect(await endedMaintenance(user, 'check', started)).toMatchObject({ status: 'cancelled' });
  expect([await eventsOf(job_id), borgProcesses(home.path)]).toEqual([[], []]);

  expectRefusal(await user.post(of(home, 'break-lock')), 403);
  const broken = await api.post(of(home, 'break-lock'));
  expect(broken.body).toMatchObject({ success: true, holder: expect.stringContaining('4711 on elsewhere') });
  expect((await backUp(api, home.path)).status).toBe('completed');
});

test('fails a check after a flipped bit, and repairs only for administrators', async () => {
  const before = (await repositoryNow()).last_check;
  flipOneBit(home.path);
  const job = await endedMaintenance(api, 'check', await api.post(of(home, 'check')));
  expect(job).toMatchObject({ status: 'failed', problems_found: true, partial: false });
  expect(job.error_message).toContain('Problems were found');
  expect(job.logs).toMatch(/integrity error|checksum mismatch/i);
  expect((await repositoryNow()).last_check).toBe(before);
  expect(await eventsOf(job.id)).toEqual(['check_failure']);

  expectRefusal(await user.post(of(home, 'repair'), { confirm_name: 'home' }), 403);
  expectRefusal(await api.post(of(home, 'repair'), { confirm_name: 'Home' }), 400, /confirm_name/);
  const repaired = await endedMaintenance(
    api,
    'check',
    await api.post(of(home, 'repair'), { confirm_name: 'home' }),
  );
  expect(repaired).toMatchObject({ status: 'completed_with_warnings', check_type: 'repair' });
  expect((await repositoryNow()).last_check).toBe(before);
});

test('counts zero-filled archives after a repair as damaged, and no others', async () => {
  const check = async () => endedMaintenance(api, 'check', await api.post(of(home, 'check')));
  const { last_check } = await repositoryNow();
  const listed = async () => (await api.get('/api/archives/list', { repository: home.path })).body.archives;
  const found = await check();
  expect(found).toMatchObject({ status: 'failed', problems_found: true });
  expect(await eventsOf(found.id)).toEqual(['check_failure']);
  expect((await repositoryNow()).last_check).toBe(last_check);
  const damaged = (await listed()).filter((each: { damaged: boolean }) => each.damaged);
  expect(damaged.length).toBeGreaterThan(0);
  for (const { name } of damaged) {
    expect(found.error_message).toContain(name);
    const { body } = await api.get(`/api/archives/${name}/info`, { repository: home.path });
    expect(body.info.damaged).toBe(true);
  }
  await api.put(`/api/repositories/${home.id}`, { freshness_hours: 24 });
  const protection = async () => (await api.get('/api/system/protection')).body.repositories[0];
  const whole = (await listed()).filter((each: { damaged: boolean }) => !each.damaged);
  expect((await protection()).newest_archive).toBe(whole.at(-1)?.start ?? null);

  // What still is at its source makes the next archive whole, and only that one.
  const next = await backUp(api, home.path);
  expect(next.status).toBe('completed');
  expect(await protection()).toMatchObject({ status: 'protected', damaged: false });
  for (const { name } of damaged) {
    const started = await api.delete(`/api/archives/${name}`, { repository: home.path });
    const gone = async () => !(await listed()).some((each: { name: string }) => each.name === name);
    expect(started.status).toBe(200);
    await waitFor(gone, { what: `the deletion of ${name}` });
  }
  const again = await check();
  expect(again).toMatchObject({ status: 'completed', problems_found: false });
  expect(await eventsOf(again.id)).toEqual(['check_success']);
});

test('restores from an archive that was repaired outside of Holdfast', async () => {
  const path = join(server.workspace.path, 'outside');
  const source = server.workspace.folder('outside-source');
  makeRandomFiles(source, 3, 2);
  await createRepository(api, { name: 'outside', path, source_directories: [source] });
  const { archive_name: archive } = await backUp(api, path);
  const whole = join(source, 'random-0.bin').slice(1);
  const order = (name: string, more: object = {}) => ({
    repository: path,
    archive,
    paths: [whole],
    destination: join(server.workspace.path, name),
    ...more,
  });
  const plan = (name: string) => api.post('/api/restore/plan', order(name));
  const start = async (body: object) => endedRestore(api, await api.post('/api/restore/start', body));
  const before = await plan('before');
  expect(before.body).toMatchObject({ can_start: true });

  flipOneBit(path);
  const environment = { PATH: process.env.PATH, BORG_BASE_DIR: server.workspace.folder('by-hand') };
  const answers = { BORG_CHECK_I_KNOW_WHAT_I_AM_DOING: 'YES', BORG_RELOCATED_REPO_ACCESS_IS_OK: 'yes' };
  const env = { ...environment, ...answers, BORG_PASSPHRASE: passphrase };
  execFileSync('borg', ['check', '--repair', path], { env, stdio: 'ignore' });

  // Which of the files the flipped bit was in is up to borg: it may be this one.
  const completed = { status: expect.stringMatching(/^completed/) };
  expect(await start(order('by-name'))).toMatchObject(completed);
  const outdated = await api.post('/api/restore/start', { plan_id: before.body.plan_id });
  expectRefusal(outdated, 409, /make a new plan/);
  const after = await plan('after');
  expect(after.body.archive_id).not.toBe(before.body.archive_id);
  expect(await start({ plan_id: after.body.plan_id })).toMatchObject(completed);
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
