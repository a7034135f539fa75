import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, endedJob, expectRefusal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { Borg } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';

/** The service and its days are in this zone, far from that of any test machine. */
const zone = 'Pacific/Auckland';
const starts = {
  first: '2026-01-31T10:30:00Z',
  // The next day in the zone of the service.
  second: '2026-01-31T11:30:00Z',
  third: '2026-03-01T00:00:00Z',
};

let server: TestServer;
let api: Api;
let home: Repository;
let schedule: number;
let source: string;

const of = (what = '') => `/api/repositories/${home.id}${what}`;
const selected = () => ({ repository_id: home.id });
const read = async (path: string, query: object = {}, as = api) => {
  const answer = await as.get(path, query as Record<string, string>);
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /);
  return answer.body;
};
const names = (body: { archives: { name: string }[] }) => body.archives.map(({ name }) => name);

beforeAll(async () => {
  server = await TestServer.start({ env: { TZ: zone } });
  api = await server.login();
  source = server.workspace.folder('source');
  makeFiles(source, 3);
  const borg = new Borg(join(server.workspace.path, 'home'), server.workspace.folder('by-hand'));
  await borg.run('init', '--encryption=none', borg.repository);
  await borg.create('first', Date.parse(starts.first), { source });
  writeFileSync(join(source, 'letter.txt'), 'one');
  await borg.create('second', Date.parse(starts.second), { source });
  writeFileSync(join(source, 'letter.txt'), 'another');
  await borg.create('third', Date.parse(starts.third), { source });
  const facts = { name: 'home', path: borg.repository, source_directories: [source] };
  home = (await api.post('/api/repositories/import', facts)).body.repository;
  const plan = { name: 'yearly', cron_expression: '0 0 1 1 *', repository_ids: [home.id] };
  schedule = (await api.post('/api/schedule/', plan)).body.job.id;
  const { body } = await api.post(`/api/schedule/${schedule}/run-now`);
  expect((await endedJob(api, body.job_id)).status).toBe('completed');
});
afterAll(() => server?.remove());

test('answers the same under old and new names', async () => {
  const path = join(source, 'letter.txt').slice(1);
  const pairs: [string, string, object?][] = [
    ['/api/archives/list', of('/archives')],
    ['/api/archives/list', of('/archives'), { limit: 2 }],
    ['/api/archives/list', of('/archives'), { query: 'ir', known_only: true }],
    ['/api/archives/second/info', of('/archives/second'), { include_files: true, file_limit: 2 }],
    ['/api/archives/history', of('/history'), { path }],
  ];
  for (const [old, name, query] of pairs)
    expect(await read(name, query)).toEqual(await read(old, { ...selected(), ...query }));
  const found = await read('/api/archives/search', { ...selected(), query: 'letter' });
  expect(found.items).toHaveLength(1);
  expect(await read(of('/search'), { q: 'letter' })).toEqual(found);
  expect((await read(of('/history'))).samples).toHaveLength(1);
});

test('compares an archive with the one before it', async () => {
  const { items, ...changes } = await read(of('/archives/third/changes'));
  expect(changes).toMatchObject({ archive: 'third', with: 'second', added: 0, changed: 1 });
  const old = await read('/api/archives/second/diff', { ...selected(), with: 'third' });
  expect(items).toEqual(old.items);
  const since = await read(of('/archives/third/changes'), { with: 'first' });
  expect(since).toMatchObject({ archive: 'third', with: 'first', added: 1 });
  expectRefusal(await api.get(of('/archives/first/changes')), 404, /oldest/);
});

test('filters archives by time and by schedule, page by page', async () => {
  const [, , , made] = names(await read(of('/archives')));
  const within = async (query: object) => names(await read(of('/archives'), query));
  expect(await within({ since: starts.second })).toEqual(['second', 'third', made]);
  expect(await within({ until: starts.second })).toEqual(['first']);
  expect(await within({ until: '2026-01-31' })).toEqual(['first']);
  expect(await within({ since: '2026-02-01', until: '2026-03-01' })).toEqual(['second', 'third']);
  expect(await within({ schedule_id: schedule })).toEqual([made]);
  expect(await within({ schedule_id: schedule, until: starts.third })).toEqual([]);
  const query = { since: starts.first, until: '2026-03-01', limit: 2 };
  const newest = await read(of('/archives'), query);
  const { next_before: before } = newest;
  const older = await read(of('/archives'), { ...query, before });
  expect([names(newest), names(older), older.next_before]).toEqual([['second', 'third'], ['first'], null]);
});

test('counts as many archives by day as are listed', async () => {
  const all = await archivesOf(api, home.path);
  const days = await read(of('/archives/heatmap'), { since: '2026-01-01' });
  const counted = days.days.map(({ archives }: { archives: number }) => archives);
  expect([days.archives, counted.reduce((a: number, b: number) => a + b)]).toEqual([all.length, all.length]);
  expect(days.timezone).toBe(zone);
  const year = await read(of('/archives/heatmap'), { year: 2026 });
  expect(year.days.slice(0, 3)).toMatchObject([
    { day: '2026-01-31', archives: 1 },
    { day: '2026-02-01', archives: 1 },
    { day: '2026-03-01', archives: 1 },
  ]);
  expect((await read(of('/archives/heatmap'), { year: 2025 })).days).toEqual([]);
  const day = all.at(-1)?.start.slice(0, 10) ?? '';
  const { runs } = await read('/api/history/runs', { day, timezone: 'UTC', ...selected() });
  expect(runs).toMatchObject([{ outcome: 'completed', schedule_name: 'yearly', archive_name: null }]);
  const january = await read('/api/history/runs', { day: '2026-01-31' });
  expect(january.runs.map(({ archive_name }: { archive_name: string }) => archive_name)).toEqual([
    'first',
    'second',
  ]);
});

test('refuses input that no archive can match', async () => {
  const refused = async (path: string, query: object, status = 400, detail = /\w/) =>
    expectRefusal(await api.get(path, query as Record<string, string>), status, detail);
  await refused(of('/archives'), { since: '2026-02-01', until: '2026-01-31' }, 400, /since/);
  await refused(of('/archives'), { since: starts.first, until: starts.first }, 400, /since/);
  for (const since of ['', '2026-02-30', 'yesterday', '2026-02-01T00:00:00'])
    await refused(of('/archives'), { since });
  await refused(of('/archives'), { schedule_id: 999 }, 404, /schedule/);
  await refused('/api/repositories/999/archives', {}, 404);
  await refused(of('/archives/nothing'), {}, 404, /no archive nothing/);
  await refused(of('/archives/third/changes'), { with: 'nothing' }, 404, /no archive nothing/);
  await refused(of('/archives/heatmap'), { year: 2026, since: '2026-01-01' });
  for (const year of ['0', '20266', 'x', '-1']) await refused(of('/archives/heatmap'), { year });
  await refused('/api/repositories/999/archives/heatmap', {}, 404);
  for (const q of ['', 'a'.repeat(10_000)]) await refused(of('/search'), { q });
  await refused(of('/search'), {});
  await refused(of('/history'), { path: 'never/there' }, 404);
  for (const path of ['', '/', '../x']) await refused(of('/history'), { path });
  await refused('/api/history/runs', { day: '2026-02-30' });
  await refused('/api/history/runs', { day: '2026-03-01', timezone: 'Mars/Base' });
});

test('shows file names to limited users with the right to restore only', async () => {
  for (const [username, right] of [
    ['seer', 'see'],
    ['restorer', 'restore'],
  ] as const) {
    const password = 'a password of a user';
    const grants = [{ repository_id: home.id, right }];
    expect((await api.post('/api/auth/users', { username, password, role: 'limited', grants })).status).toBe(
      201,
    );
    const user = await server.login(username, password);
    const statusOf = async (path: string, query = {}) => (await user.get(path, query)).status;
    expect(await statusOf(of('/archives'))).toBe(200);
    expect(await statusOf(of('/archives/heatmap'))).toBe(200);
    expect(await statusOf(of('/history'))).toBe(200);
    const path = join(source, 'letter.txt').slice(1);
    const names = [
      await statusOf(of('/history'), { path }),
      await statusOf(of('/search'), { q: 'letter' }),
      await statusOf(of('/archives/third')),
      await statusOf(of('/archives/third/changes')),
      await statusOf('/api/archives/third/lost-files', selected()),
      (await user.post('/api/schedule/preview', { ...selected(), lost: true })).status,
    ];
    expect((await user.post('/api/schedule/preview', selected())).status).toBe(200);
    expect(names).toEqual(Array(6).fill(right === 'see' ? 404 : 200));
  }
});
