import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Api } from '../api.js';
import { borgmatic } from '../borgmatic.js';
import { TestServer } from '../server.js';
import { Borg } from './borg.js';

/*
 * What the retention of a file of borgmatic keeps after its import, against what `borgmatic prune --dry-run --list` says
 * of the same archives: never less.
 */
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Before now: several in a minute, in an hour, and so on. */
const ages = [
  ...[20_000, 30_000, 3 * minute, 25 * minute, 50 * minute, 2 * hour, 5 * hour, 20 * hour, 30 * hour],
  ...[2.1, 3, 6, 8, 15, 22, 33, 50, 64, 95, 130, 190, 250, 330, 380, 420, 750, 1_120].map((n) => n * day),
];
const series = ages.map((age, n) => ({ name: `h-${n}`, age }));
const others = ages.filter((_, n) => n % 5 === 0).map((age, n) => ({ name: `other-${n}`, age: age + 1_000 }));

let server: TestServer;
let api: Api;
let home: string;
let repository: Borg;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  home = server.workspace.folder('home');
  repository = new Borg(join(home, 'history.borg'), home);
  await repository.run('init', '--encryption=none', repository.repository);
  const now = Date.now();
  const byAge = [...series, ...others].toSorted((a, b) => b.age - a.age);
  await repository.createMany(
    byAge.map(({ name, age }) => ({ name, at: now - age })),
    '/etc/hostname',
  );
}, 180_000);
afterAll(() => server?.remove());

const file = () => join(home, 'c.yaml');

/** Names of the archives that borgmatic keeps. */
async function keptByBorgmatic(): Promise<string[]> {
  const told = await borgmatic(home, '-c', file(), '--dry-run', '--no-color', '-v', '1', 'prune', '--list');
  const removed = new Set([...told.matchAll(/Would prune:\s+(\S+)/g)].map(([, name]) => name));
  expect(told).toMatch(/Keeping archive/);
  return [...series, ...others].map(({ name }) => name).filter((name) => !removed.has(name));
}

/** Null when the file is not taken over as it stands. */
async function keptAfterImport(content: string): Promise<string[] | null> {
  const input = { files: [{ name: '/etc/borgmatic/c.yaml', content }], take_over: true };
  const imported = await api.post('/api/import/borgmatic', { ...input, cron_expression: '0 2 * * *' });
  expect(imported.status, imported.text).toBe(200);
  if (imported.body.objects.some(({ action }: { action: string }) => action === 'cannot')) return null;
  const [{ id }] = (await api.get('/api/repositories/')).body.repositories;
  const [schedule] = (await api.get('/api/schedule/')).body.jobs;
  const listed = async () => (await api.get('/api/archives/list', { repository_id: id })).body.archives;
  await expect.poll(listed).toHaveLength(series.length + others.length);
  const adopted = await api.post(`/api/schedule/${schedule.id}/adopt`, { repository_id: id, pattern: 'h-*' });
  expect(adopted.status, adopted.text).toBe(200);
  return (await listed())
    .filter(
      (each: { schedule_id: number | null; kept_by: string | null }) => !each.schedule_id || each.kept_by,
    )
    .map(({ name }: { name: string }) => name);
}

const binary14 = process.env.HOLDFAST_BORG_14;
const options = ['hourly', 'daily', 'weekly', 'monthly', ...(binary14 ? ['3monthly'] : []), 'yearly'];
const taken = [
  ...options.flatMap((name) => [`keep_${name}: 3`, `keep_${name}: -1`]),
  ...['keep_within: 1H', 'keep_within: 3d', 'keep_within: 2w', 'keep_within: 2m', 'keep_within: 1y'],
  'keep_within: 6H\nkeep_hourly: 2\nkeep_daily: 4\nkeep_weekly: 3\nkeep_monthly: -1\nkeep_yearly: 1',
  'keep_daily: 2\nkeep_yearly: -1',
];
/** Holdfast does not have this rule. */
const refused = [
  ...['keep_secondly: 3', 'keep_secondly: -1', 'keep_minutely: 3', 'keep_minutely: -1'],
  'keep_daily: 2\nkeep_minutely: 4',
  // Quarters are new in borg 1.4.
  ...(binary14 ? ['keep_13weekly: 3', 'keep_13weekly: -1'] : []),
];
/** How borgmatic finds the archives that a rule is for. */
const finders = {
  'the format of their names': "archive_name_format: 'h-{now}'",
  'a pattern': "match_archives: 'sh:h-*'\narchive_name_format: '{hostname}-{now}'",
};

test.each([
  ...taken.map((rules) => [rules, 'the format of their names'] as const),
  ['keep_daily: 3\nkeep_yearly: -1', 'a pattern'] as const,
  ...refused.map((rules) => [rules, 'the format of their names'] as const),
])('keeps no less than borgmatic for %j and archives found by %s', async (rules, finder) => {
  const content = [
    ...[`source_directories: [/etc/hostname]`, `repositories: [{path: ${repository.repository}}]`],
    ...[finders[finder], ...(binary14 ? [`local_path: ${binary14}`] : []), rules, ''],
  ].join('\n');
  writeFileSync(file(), content);
  const theirs = await keptByBorgmatic();
  expect(theirs).toEqual(expect.arrayContaining(others.map(({ name }) => name)));
  const ours = await keptAfterImport(content);
  if (refused.includes(rules)) expect(ours).toBeNull();
  else expect(ours).toEqual(expect.arrayContaining(theirs));
});
