import { rmSync, statfsSync } from 'node:fs';
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
import { endedMaintenance } from '../maintenance.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import type { Database } from '../store/database.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

const day = 86_400_000;
let server: TestServer;
let api: Api;
let user: Api;
let database: Database;
let home: Repository;
let broken: Repository;
let tool: MemoryRepository;

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory' });
  api = await server.login();
  await api.post('/api/auth/users', { username: 'reader', password: 'a password of a user' });
  user = await server.login('reader', 'a password of a user');
  database = await server.database();
  const [source, gone] = ['source', 'gone'].map((name) => server.workspace.folder(name));
  makeRandomFiles(source ?? '', 2, 1);
  makeFiles(gone ?? '', 1);
  const make = (name: string, folder = '') =>
    createRepository(api, { name, path: join(server.workspace.path, name), source_directories: [folder] });
  home = await make('home', source);
  broken = await make('broken', gone);
  rmSync(gone ?? '', { recursive: true });
  tool = new MemoryRepository(home.path, { passphrase });
});
afterAll(async () => {
  await database?.close();
  await server?.remove();
});

const overview = async () => {
  const { status, body } = await user.get('/api/overview', { timezone: 'Europe/Berlin' });
  expect(status).toBe(200);
  return body;
};
const ofRepository = async ({ id }: Repository) =>
  (await overview()).repositories.find((each: { id: number }) => each.id === id);
const historyOf = async ({ id }: Repository, query = {}) => {
  const { status, body } = await user.get(`/api/repositories/${id}/history`, query);
  expect(status).toBe(200);
  return body;
};
const days = async (count: number): Promise<Record<string, string>> => {
  const { body } = await user.get('/api/history/days', { days: count });
  return Object.fromEntries(
    body.repositories.map((each: { name: string; days: string }) => [each.name, each.days]),
  );
};

async function schedule(name: string, cron_expression: string, { id }: Repository): Promise<number> {
  const input = { name, cron_expression, repository_ids: [id], catch_up: 'none' };
  const answer = await api.post('/api/schedule/', input);
  expect(answer.status).toBe(201);
  return answer.body.job.id;
}

const runNow = async (id: number) => {
  const { body } = await api.post(`/api/schedule/${id}/run-now`);
  return endedJob(api, body.job_id);
};

test('is empty before the first backup, with a next step in the overview', async () => {
  expect(await historyOf(home)).toMatchObject({
    archives: [],
    samples: [],
    truncated: false,
    archive_count: 0,
  });
  const told = await overview();
  expect(told).toMatchObject({
    headline: { state: 'unknown', params: { count: 2, total: 2 } },
    counts: { total: 2, unknown: 2, protected: 0 },
    oldest_newest_archive: null,
  });
  expect(told.attention.map(({ cause }: { cause: string }) => cause)).toContain('not_covered');
  expect(await days(3)).toEqual({ home: '---', broken: '---' });
});

test('records a sample of a scheduled backup that matches the tool', async () => {
  const id = await schedule('nightly', '0 2 * * *', home);
  const job = await runNow(id);
  expect(job.status).toBe('completed');
  const told = await historyOf(home);
  const [archive] = await archivesOf(api, home.path);
  const { size } = tool;
  expect(told.archives).toEqual([
    {
      id: archive?.id,
      name: job.archive_name,
      start: archive?.start,
      seconds: expect.any(Number),
      original_bytes: job.progress_details.original_size,
      added_bytes: job.progress_details.deduplicated_size,
      schedule_id: id,
      damaged: false,
    },
  ]);
  expect(told.samples).toEqual([
    {
      at: job.completed_at,
      job_id: job.id,
      kind: 'backup',
      size_bytes: size,
      archive_count: 1,
      free_bytes: expect.any(Number),
      original_bytes: job.progress_details.original_size,
      added_bytes: job.progress_details.deduplicated_size,
      seconds: (Date.parse(job.completed_at ?? '') - Date.parse(job.started_at ?? '')) / 1000,
    },
  ]);
  const { bavail, bsize } = statfsSync(home.path);
  const free = told.samples[0].free_bytes;
  expect(Math.abs(free - bavail * bsize)).toBeLessThan(2 ** 30);
  const { repository } = (await user.get(`/api/repositories/${home.id}`)).body;
  expect(repository).toMatchObject({
    total_size_bytes: size,
    free_bytes: free,
    location_as_of: job.completed_at,
  });
  expect(repository.location_total_bytes).toBeGreaterThan(free);
  expect(await ofRepository(home)).toMatchObject({
    status: 'protected',
    size_bytes: size,
    free_bytes: free,
    archive_count: 1,
    newest_archive: archive?.start,
    running: null,
    days: expect.stringMatching(/^-{28,29}o-?$/),
    next_run: expect.stringMatching(/T02:00:00\.000Z$/),
  });
});

test('shows a failed backup as a failed day, with attention for its schedule', async () => {
  const id = await schedule('of nothing', '0 3 * * *', broken);
  expect((await runNow(id)).status).toBe('failed');
  expect(await historyOf(broken)).toMatchObject({ archives: [], samples: [] });
  const told = await waitFor(
    async () => {
      const now = await overview();
      return now.attention.some(({ cause }: { cause: string }) => cause === 'schedule_failing') && now;
    },
    { what: 'attention for the schedule' },
  );
  expect(told.attention.find(({ cause }: { cause: string }) => cause === 'schedule_failing')).toMatchObject({
    object: { kind: 'schedule', id, name: 'of nothing' },
    code: 'incident_schedule_failing',
    text: expect.stringContaining('broken failed'),
  });
  expect((await days(3)).broken).toMatch(/^-{1,2}f-?$/);
});

test('records samples of prune and compact that match the tool', async () => {
  const source = server.workspace.folder('random');
  makeRandomFiles(source, 1, 1);
  await tool.create('by-hand', Date.now() - 40 * day, { source });
  const rules = { keep_daily: 1, keep_weekly: 0, keep_monthly: 0, keep_yearly: 0 };
  const before = tool.size;
  const prune = `/api/repositories/${home.id}/prune`;
  await api.post(prune, { ...rules, dry_run: true });
  const done = await api.post(prune, rules);
  expect(done.body).toMatchObject({ success: true, dry_run: false });
  const compact = await endedMaintenance(
    api,
    'compact',
    await api.post(`/api/repositories/${home.id}/compact`),
  );
  expect(compact.status).toBe('completed');
  const after = tool.size;
  expect(after).toBeLessThan(before - 500_000);
  const told = await historyOf(home);
  const kinds = told.samples.map(
    ({ kind, size_bytes, archive_count, original_bytes }: Record<string, unknown>) => [
      ...[kind, size_bytes, archive_count, original_bytes === null],
    ],
  );
  expect(kinds.slice(1)).toEqual([
    ['prune', after, 1, true],
    ['compact', after, 1, true],
  ]);
  const page = await historyOf(home, { limit: 1, offset: 1 });
  expect([page.samples, page.truncated]).toEqual([[told.samples[1]], true]);
  expect((await historyOf(home, { to: told.samples[1].at })).samples).toEqual([told.samples[0]]);
});

test('shows days of downtime as missed, even in the overview', async () => {
  const [row] = await database.all<{ id: number }>('SELECT id FROM schedule WHERE name = ?', 'nightly');
  await server.stop();
  const planned = Math.floor(Date.now() / day) * day - 4 * day + 2 * 3_600_000;
  await database.all('UPDATE schedule SET next_run = ? WHERE id = ?', planned, row?.id);
  await server.launch();
  api = await server.login();
  user = await server.login('reader', 'a password of a user');
  const missed = async () => /^-mmmm?o?/.test((await days(6)).home ?? '');
  await waitFor(missed, { what: 'the missed days' });
  expect((await days(6)).home).toMatch(/^-m{3,4}[om-]{1,2}$/);
  expect((await ofRepository(home)).days).toMatch(/-m{3,4}[om-]{1,2}$/);
});

test('rejects invalid queries clearly', async () => {
  const history = (query: Record<string, string | number>, id = home.id) =>
    user.get(`/api/repositories/${id}/history`, query);
  expectRefusal(await history({}, 999), 404, /no repository/);
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-02-01T00:00:00Z'];
  expectRefusal(await history({ from: late, to: early }), 400, /from must be earlier than to/);
  expectRefusal(await history({ from: '2001-01-01T00:00:00Z', to: late }), 400, /at most 3660 days/);
  expectRefusal(await history({ from: 'yesterday' }), 400, /ISO 8601/);
  expectRefusal(await history({ limit: 5001 }), 400, /from 1 to 5000/);
  expectRefusal(await user.get('/api/history/days', { days: 367 }), 400, /from 1 to 366/);
  expectRefusal(await user.get('/api/history/days', { timezone: 'Mars/Phobos' }), 400, /time zone/);
  expectRefusal(await user.get('/api/history/days', { repository_id: 999 }), 404, /no repository/);
  expectRefusal(await user.get('/api/overview', { timezone: '' }), 400, /timezone|time zone/i);
  for (const path of ['/api/overview', '/api/history/days', `/api/repositories/${home.id}/history`])
    expectRefusal(await user.request('GET', path, { token: null }), 401);
});

test('adds up the sizes of all repositories and the jobs of today', async () => {
  const { figures, repositories } = await overview();
  const sizes = repositories.map((each: { size_bytes: number }) => each.size_bytes);
  const sum = sizes.reduce((all: number, size: number) => all + size, 0);
  expect(sum).toBeGreaterThan(0);
  expect([figures.stored_bytes.length, figures.stored_bytes.at(-1)]).toEqual([30, sum]);
  expect(figures.jobs_today.done).toBeGreaterThan(0);
});

test('keeps the figures of a removed repository for its next import', async () => {
  const stored = () => database.all('SELECT id FROM repository_sample');
  const before = await stored();
  await api.delete(`/api/repositories/${home.id}`);
  expect(await stored()).toEqual(before);
  expectRefusal(await user.get(`/api/repositories/${home.id}/history`), 404, /no repository/);
});
