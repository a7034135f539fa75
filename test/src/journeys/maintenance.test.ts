import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backUp, createRepository, expectRefusal, passphrase, type Repository } from '../actions.js';
import type { Api } from '../api.js';
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
  expect(again.logs).toContain('Archive consistency check complete, no problems found.');
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
