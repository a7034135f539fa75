import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, backUp, createRepository, deleteArchive, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { endedMaintenance, flipOneBit } from '../maintenance.js';
import { problemsOf, type Sample, samplesOf } from '../metrics.js';
import { TestServer } from '../server.js';
import { Database } from '../soak/database.js';
import { makeRandomFiles } from '../trees.js';

const token = 'only-prometheus-knows-this';
/** Quotes, backslashes and line breaks must not break the format; names can't hold the last. */
const name = 'ho"me \\ ünï';
let server: TestServer;
let api: Api;
let home: Repository;
let text: string;

const of = (repository: Repository, what: string) => `/api/repositories/${repository.id}/${what}`;
const scrape = async () => {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.api.request('GET', '/metrics', { token: null, headers });
  expect(answer.status).toBe(200);
  return answer;
};
const pick = (samples: Sample[], metric: string) =>
  samples.filter((sample) => sample.name === `bk_${metric}`).map(({ labels, value }) => [labels, value]);
const value = (metric: string) => pick(samplesOf(text), metric).map(([, each]) => each);

beforeAll(async () => {
  server = await TestServer.start({ env: { METRICS_TOKEN: token } });
  api = await server.login();
});
afterAll(() => server?.remove());

test('before anything happened, only counts of nothing are 0 and all else is absent', async () => {
  text = (await scrape()).text;
  const told = new Set(samplesOf(text).map((sample) => sample.name));
  expect([...told].filter((each) => /^bk_(?!store_operation|process|nodejs)/.test(each)).toSorted()).toEqual([
    'bk_backup_orphaned_jobs_total',
    'bk_jobs_waiting',
    'bk_store_up',
    'bk_ui_active_jobs',
    'bk_ui_repositories_total',
    'bk_ui_scheduled_jobs_enabled',
    'bk_ui_scheduled_jobs_total',
  ]);
  expect(pick(samplesOf(text), 'ui_active_jobs')).toEqual(
    ['backup', 'restore', 'check', 'compact', 'prune'].map((type) => [{ type }, 0]),
  );
});

test('after the life of a repository each metric of the document has the value that it should have', async () => {
  const source = server.workspace.folder('source');
  makeRandomFiles(source, 1, 3);
  const path = join(server.workspace.path, 'home');
  home = await createRepository(api, { name, path, source_directories: [source] });
  await backUp(api, path);
  makeRandomFiles(join(source, 'more'), 1, 2);
  const last = await backUp(api, path);
  await api.put(`/api/repositories/${home.id}`, { source_directories: [join(source, 'gone-by-then')] });
  mkdirSync(join(source, 'gone-by-then'));
  await backUp(api, path);
  const check = await endedMaintenance(api, 'check', await api.post(of(home, 'check')));
  await api.post(of(home, 'prune'), { keep_daily: 1, dry_run: true });
  const [oldest] = await archivesOf(api, path);
  await deleteArchive(api, path, oldest?.name ?? '');
  const compact = await endedMaintenance(api, 'compact', await api.post(of(home, 'compact')));
  const cron = { cron_expression: '0 2 * * *', repository_ids: [home.id] };
  await api.post('/api/schedule/', { name: 'nightly', ...cron });
  await api.post('/api/schedule/', { name: 'off', enabled: false, ...cron });
  const gone = await createRepository(api, {
    ...{ name: 'gone', path: join(server.workspace.path, 'gone'), source_directories: [source] },
  });
  await backUp(api, gone.path);
  await api.delete(`/api/repositories/${gone.id}`);

  text = (await scrape()).text;
  const samples = samplesOf(text);
  const { repository } = (await api.get(`/api/repositories/${home.id}`)).body;
  const ended = (await api.get('/api/backup/jobs')).body.jobs.find(
    (job: { repository: string }) => job.repository === path,
  );
  const seconds = (job: { started_at: string; completed_at: string }) =>
    (Date.parse(job.completed_at) - Date.parse(job.started_at)) / 1000;
  const here = { repository: name };
  const stamp = (time: string) => [[here, Date.parse(time) / 1000]];
  expect(pick(samples, 'repository_info')).toEqual([[{ ...here, path, type: 'local', mode: 'full' }, 1]]);
  const [database] = await Promise.all([Database.open(join(server.dataDirectory, 'holdfast.db'))]);
  const [row] = await database.all<{ stored_size: number }>(
    'SELECT stored_size FROM repository WHERE id = ?',
    home.id,
  );
  expect(pick(samples, 'repository_size_bytes')).toEqual([[here, row?.stored_size]]);
  expect(pick(samples, 'repository_archive_count')).toEqual([[here, (await archivesOf(api, path)).length]]);
  expect(pick(samples, 'repository_last_backup_timestamp')).toEqual(stamp(repository.last_backup));
  expect(pick(samples, 'repository_last_check_timestamp')).toEqual(stamp(repository.last_check));
  expect(pick(samples, 'repository_last_compact_timestamp')).toEqual(stamp(repository.last_compact));
  expect(pick(samples, 'backup_jobs_total')).toEqual([[{ ...here, status: 'completed' }, 3]]);
  expect(value('backup_orphaned_jobs_total')).toEqual([1]);
  expect(pick(samples, 'backup_last_job_success')).toEqual([[here, 1]]);
  expect(pick(samples, 'backup_last_duration_seconds')).toEqual([[here, seconds(ended)]]);
  expect(pick(samples, 'backup_last_original_size_bytes')).toEqual([
    [here, ended.progress_details.original_size],
  ]);
  expect(pick(samples, 'backup_last_deduplicated_size_bytes')).toEqual([
    [here, ended.progress_details.deduplicated_size],
  ]);
  expect(last.progress_details.original_size).toBeGreaterThan(5_000_000);
  expect(pick(samples, 'restore_jobs_total')).toEqual([]);
  expect(pick(samples, 'check_jobs_total')).toEqual([[{ ...here, status: 'completed' }, 1]]);
  expect(value('check_last_duration_seconds')).toEqual([seconds(check)]);
  expect(pick(samples, 'compact_jobs_total')).toEqual([[{ status: 'completed' }, 1]]);
  expect(value('compact_last_duration_seconds')).toEqual([seconds(compact)]);
  expect(pick(samples, 'prune_jobs_total')).toEqual([[{ status: 'completed' }, 1]]);
  expect(value('ui_repositories_total')).toEqual([1]);
  expect(value('ui_scheduled_jobs_total')).toEqual([2]);
  expect(value('ui_scheduled_jobs_enabled')).toEqual([1]);
  expect(value('store_up')).toEqual([1]);
});

test("Prometheus' own tool objects to nothing but the document's names", async () => {
  const { text: told, headers } = await scrape();
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  const objections = problemsOf(told).map((line) => line.replace(/ .*/, ''));
  const document =
    /^bk_(repository_archive_count|((backup|restore|check|compact|prune)_jobs|backup_orphaned_jobs|ui_(repositories|scheduled_jobs))_total)$/;
  expect(objections.filter((metric) => !document.test(metric))).toEqual([]);
  expect(
    told.match(/^# TYPE bk_(backup|ui|repository|check|compact|prune|restore)_\w+ (?!gauge)/gm),
  ).toBeNull();
});

test('a flipped bit shows', async () => {
  flipOneBit(home.path);
  await endedMaintenance(api, 'check', await api.post(of(home, 'check')));
  text = (await scrape()).text;
  expect(value('repository_last_check_success')).toEqual([0]);
  expect(pick(samplesOf(text), 'check_jobs_total')).toContainEqual([
    { repository: name, status: 'failed' },
    1,
  ]);
});

test('the figures are made anew from the jobs by a command', async () => {
  const about = (metrics: string) =>
    metrics.split('\n').filter((line) => /^bk_\w+_(jobs_total|last_\w+)[{ ]/.test(line));
  const before = about((await scrape()).text);
  await server.stop();
  const database = await Database.open(join(server.dataDirectory, 'holdfast.db'));
  await database.all('DELETE FROM job_figures');
  const command = fileURLToPath(new URL('../../../server/dist/rebuild-figures.js', import.meta.url));
  const env = { PATH: process.env.PATH, DATA_DIR: server.dataDirectory };
  expect(execFileSync(process.execPath, [command], { env, encoding: 'utf8' })).toMatch(
    /^Counted \d+ ended jobs/,
  );
  await server.launch();
  expect(about((await scrape()).text)).toEqual(before);
});

test('without the token there is nothing to read', async () => {
  const answers = [
    await server.api.get('/metrics'),
    await api.get('/metrics'),
    await server.api.get('/metrics', { token }),
  ];
  for (const { status, headers } of answers) {
    expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
  }
  expect(server.log).not.toContain(token);
});
