import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archivesOf,
  backUp,
  createRepository,
  expectRefusal,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Api } from '../api.js';
import { endedMaintenance } from '../maintenance.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';

let server: TestServer;
let api: Api;
let user: Api;
let home: Repository;

const of = (repository: Repository, what: string) => `/api/repositories/${repository.id}/${what}`;
const byHand = (repository: Repository) =>
  new Borg(repository.path, server.workspace.folder('borg-by-hand'), { passphrase });
const day = 86_400_000;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  await api.post('/api/auth/users', { username: 'mallory', password: 'a password of a user' });
  user = await server.login('mallory', 'a password of a user');
  const source = server.workspace.folder('source');
  makeFiles(source, 20);
  home = await createRepository(api, {
    name: 'home',
    path: join(server.workspace.path, 'home'),
    source_directories: [source],
  });
  expect((await backUp(api, home.path)).status).toBe('completed');
});
afterAll(() => server?.remove());

const repositoryNow = async () => (await api.get(`/api/repositories/${home.id}`)).body.repository;

test('previews each archive with its rule, requires confirmation, and matches borg', async () => {
  const borg = byHand(home);
  const [first] = await archivesOf(api, home.path);
  const source = server.workspace.folder('small');
  const start = Date.parse(first?.start ?? '');
  const old = [1, 2, 3, 9, 40, 100, 400].map((n) => ({ name: `old-${n}`, at: start - n * day }));
  await borg.createMany(old, source);
  const rules = { keep_daily: 2, keep_weekly: 1, keep_monthly: 0, keep_quarterly: 0, keep_yearly: 0 };

  const dry = await api.post(of(home, 'prune'), { ...rules, dry_run: true });
  expect(dry.body).toMatchObject({ success: true, status: 'completed', dry_run: true });
  const expected = await borg.prunePlan('--keep-daily=2', '--keep-weekly=1');
  const told = dry.body.archives.map(({ name, rule }: { name: string; rule: string }) => [name, rule]);
  expect(told).toEqual(expected.map(({ name, rule }) => [name, rule ?? 'removed']));
  expect(dry.body.prune_result).toMatchObject({
    success: true,
    stderr: '',
    stdout: expect.stringContaining('Would remove: old-400'),
  });
  const within = await api.post(of(home, 'prune'), { ...rules, keep_within: '5d', dry_run: true });
  const oracle = await borg.prunePlan('--keep-within=5d', '--keep-daily=2', '--keep-weekly=1');
  expect(within.body.archives.map(({ rule }: { rule: string }) => rule)).toEqual(
    oracle.map(({ rule }) => rule ?? 'removed'),
  );
  expect(await archivesOf(api, home.path)).toHaveLength(8);

  const refused = await api.post(of(home, 'prune'), rules);
  expect(refused.status).toBe(200);
  expect(refused.body).toMatchObject({ success: false, status: 'failed' });
  expect(refused.body.prune_result.stderr).toContain('confirm_more_than_half');
  expect(await borg.list()).toHaveLength(8);

  const done = await api.post(of(home, 'prune'), { ...rules, confirm_more_than_half: true });
  expect(done.body).toMatchObject({ success: true, status: 'completed', dry_run: false });
  const kept = expected.filter(({ rule }) => rule !== null).map(({ name }) => name);
  expect((await borg.list()).map(({ name }) => name).toSorted()).toEqual(kept.toSorted());
  expect((await archivesOf(api, home.path)).map(({ name }) => name).toSorted()).toEqual(kept.toSorted());
  const job = (await user.get(`/api/repositories/prune-jobs/${done.body.job_id}`)).body;
  expect(job).toMatchObject({
    dry_run: false,
    kept_count: 3,
    removed_count: 5,
    archives: done.body.archives,
  });
  expect((await user.get(of(home, 'prune-jobs'))).body.jobs).toHaveLength(4);
});

test('always keeps the newest good archive', async () => {
  const old = await createRepository(api, {
    name: 'old',
    path: join(server.workspace.path, 'old'),
    source_directories: [server.workspace.folder('small')],
  });
  const borg = byHand(old);
  const source = server.workspace.folder('small');
  const days = [30, 20, 10].map((n) => ({ name: `day-${n}`, at: Date.now() - n * day }));
  await borg.createMany(days, source);
  const nothing = { keep_daily: 0, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0, keep_within: '1H' };
  expectRefusal(await user.post(of(old, 'prune'), nothing), 403);
  const { body } = await api.post(of(old, 'prune'), { ...nothing, confirm_more_than_half: true });
  expect(body.archives.map(({ name, rule }: { name: string; rule: string }) => [name, rule])).toEqual([
    ['day-10', 'newest good archive'],
    ['day-20', 'removed'],
    ['day-30', 'removed'],
  ]);
  expect((await borg.list()).map(({ name }) => name)).toEqual(['day-10']);
});

test('reports the bytes freed by compact', async () => {
  expectRefusal(await user.post(of(home, 'compact')), 403);
  const extra = server.workspace.folder('extra');
  makeRandomFiles(extra, 1, 4);
  const borg = byHand(home);
  await borg.create('extra', Date.now(), { source: extra });
  await borg.delete(['extra']);
  const job = await endedMaintenance(api, 'compact', await api.post(of(home, 'compact')));
  expect(job).toMatchObject({ status: 'completed', error_message: null });
  expect(job.freed_bytes).toBeGreaterThan(4_000_000);
  expect((await repositoryNow()).last_compact).not.toBeNull();
  expect((await user.get(of(home, 'compact-jobs'))).body.jobs).toMatchObject([
    { freed_bytes: job.freed_bytes },
  ]);
});

test.each([
  ['check', { max_duration: -1 }, 400],
  ['check', { max_duration: 'long' }, 400],
  ['check', { max_duration: 60, verify_data: true }, 400],
  ['check', { verify_data: 'yes' }, 400],
  ['check', [], 400],
  ['prune', { keep_daily: 0, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0 }, 400],
  ['prune', { keep_daily: 1.5 }, 400],
  ['prune', { keep_daily: -2 }, 400],
  ['prune', { keep_daily: 100_001 }, 400],
  ['prune', { keep_daily: '7' }, 400],
  ['prune', { dry_run: 'yes' }, 400],
  ['prune', { schedule_id: 0 }, 400],
  ['prune', null, 400],
  ['prune', { keep_within: '3 days' }, 400],
  ['prune', { keep_within: '0d' }, 400],
  ['prune', { schedule_id: 4711 }, 404],
  ['repair', {}, 400],
  ['repair', { confirm_name: 7 }, 400],
])('refuses %s with %j', async (verb, body, status) => {
  expectRefusal(await api.post(of(home, verb), body), status);
});

test('refuses missing repositories and changes in observe mode', async () => {
  for (const verb of ['check', 'compact', 'break-lock']) {
    expectRefusal(await api.post(`/api/repositories/4711/${verb}`), 404);
  }
  expectRefusal(await api.get('/api/repositories/check-jobs/4711'), 404);
  expectRefusal(await api.get('/api/repositories/4711/check-schedule'), 404);
  expect((await api.get('/api/repositories/4711/check-jobs')).body).toEqual({ success: true, jobs: [] });
  expect((await api.get('/api/repositories/4711/running-jobs')).body).toEqual({
    success: true,
    has_running_jobs: false,
    check_job: null,
    compact_job: null,
    prune_job: null,
  });
  await api.put(`/api/repositories/${home.id}`, { mode: 'observe' });
  expectRefusal(await api.post(of(home, 'prune'), {}), 400, /observe/);
  expectRefusal(await api.post(of(home, 'compact')), 400, /observe/);
  expectRefusal(await api.post(of(home, 'repair'), { confirm_name: 'home' }), 400, /observe/);
  expect((await api.post(of(home, 'prune'), { dry_run: true })).body).toMatchObject({ status: 'completed' });
  const check = await endedMaintenance(api, 'check', await api.post(of(home, 'check'), { max_duration: 5 }));
  expect(check.status).toBe('completed');
});
