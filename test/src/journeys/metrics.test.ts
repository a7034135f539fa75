import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  archived,
  archivesOf,
  backUp,
  contentsOf,
  createRepository,
  deleteArchive,
  passphrase,
  type Repository,
} from '../actions.js';
import type { Api } from '../api.js';
import { holdfast } from '../command.js';
import { endedMaintenance } from '../maintenance.js';
import { MemoryRepository } from '../memory-repository.js';
import { pick, problemsOf, samplesOf } from '../metrics.js';
import { endedRestore } from '../restore.js';
import { TestServer } from '../server.js';
import { HttpSink, webhookUrl } from '../services/http-sink.js';
import { usesRedis } from '../store/combination.js';
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
const value = (metric: string) => pick(samplesOf(text), metric).map(([, each]) => each);

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory', env: { METRICS_TOKEN: token } });
  api = await server.login();
});
afterAll(() => server?.remove());

test('shows only zero counts before anything happened', async () => {
  text = (await scrape()).text;
  const told = new Set(samplesOf(text).map((sample) => sample.name));
  expect([...told].filter((each) => /^bk_(?!store_operation|process|nodejs)/.test(each)).toSorted()).toEqual([
    'bk_backup_orphaned_jobs_total',
    'bk_cache_lookups_total',
    'bk_incidents_open',
    'bk_jobs_waiting',
    'bk_left_behind_processes',
    'bk_outbox_parked',
    'bk_outbox_pending',
    'bk_plugin_healthy',
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

test('shows the correct value of each documented metric after typical work', async () => {
  const source = server.workspace.folder('source');
  makeRandomFiles(source, 1, 3);
  const path = join(server.workspace.path, 'home');
  home = await createRepository(api, { name, path, source_directories: [source] });
  await backUp(api, path);
  makeRandomFiles(join(source, 'more'), 1, 2);
  await backUp(api, path);
  writeFileSync(join(source, 'letter'), 'the last one adds little');
  const last = await backUp(api, path);
  await api.post(of(home, 'prune'), { keep_daily: 1, dry_run: true });
  const check = await endedMaintenance(api, 'check', await api.post(of(home, 'check')));
  const [oldest] = await archivesOf(api, path);
  const order = { repository_id: home.id, archive: oldest?.name };
  const restore = async (destination: string) =>
    endedRestore(api, await api.post('/api/restore/start', { ...order, destination }));
  const restored = await restore(server.workspace.folder('restored'));
  const occupied = server.workspace.folder('occupied');
  writeFileSync(join(occupied, archived(source).split('/')[0] ?? ''), 'in the way');
  expect((await restore(occupied)).status).toBe('failed');
  for (let n = 0; n < 2; n++) await contentsOf(api, { repository: path, archive: oldest?.name ?? '' });
  await deleteArchive(api, path, oldest?.name ?? '');
  const compact = await endedMaintenance(api, 'compact', await api.post(of(home, 'compact')));
  const cron = { cron_expression: '0 2 * * *', repository_ids: [home.id] };
  await api.post('/api/schedule/', { name: 'nightly', ...cron });
  await api.post('/api/schedule/', { name: 'off', enabled: false, ...cron });
  const gone = await createRepository(api, {
    name: 'gone',
    path: join(server.workspace.path, 'gone'),
    source_directories: [source],
  });
  await backUp(api, gone.path);
  await api.delete(`/api/repositories/${gone.id}`);

  text = (await scrape()).text;
  const samples = samplesOf(text);
  const { repository } = (await api.get(`/api/repositories/${home.id}`)).body;
  const seconds = (job: { started_at: string | null; completed_at: string | null }) =>
    (Date.parse(job.completed_at ?? '') - Date.parse(job.started_at ?? '')) / 1000;
  const here = { repository: name };
  const stamp = (time: string) => [[here, Date.parse(time) / 1000]];
  const tool = new MemoryRepository(path, { passphrase });
  const ofDocument = {
    repository_info: [[{ ...here, path, type: 'local', mode: 'full' }, 1]],
    repository_size_bytes: [[here, tool.size]],
    repository_archive_count: [[here, (await tool.list()).length]],
    repository_last_backup_timestamp: stamp(repository.last_backup),
    repository_last_check_timestamp: stamp(repository.last_check),
    repository_last_compact_timestamp: stamp(repository.last_compact),
    backup_jobs_total: [[{ ...here, status: 'completed' }, 3]],
    backup_orphaned_jobs_total: [[{}, 1]],
    backup_last_job_success: [[here, 1]],
    backup_last_duration_seconds: [[here, seconds(last)]],
    backup_last_original_size_bytes: [[here, last.progress_details.original_size]],
    backup_last_deduplicated_size_bytes: [[here, last.progress_details.deduplicated_size]],
    restore_jobs_total: [
      [{ status: 'completed' }, 1],
      [{ status: 'failed' }, 1],
    ],
    check_jobs_total: [[{ ...here, status: 'completed' }, 1]],
    check_last_duration_seconds: [[{}, seconds(check)]],
    compact_jobs_total: [[{ status: 'completed' }, 1]],
    compact_last_duration_seconds: [[{}, seconds(compact)]],
    prune_jobs_total: [[{ status: 'completed' }, 1]],
    ui_repositories_total: [[{}, 1]],
    ui_scheduled_jobs_total: [[{}, 2]],
    ui_scheduled_jobs_enabled: [[{}, 1]],
    ui_active_jobs: ['backup', 'restore', 'check', 'compact', 'prune'].map((type) => [{ type }, 0]),
  };
  expect(
    Object.fromEntries(Object.keys(ofDocument).map((metric) => [metric, pick(samples, metric)])),
  ).toEqual(ofDocument);

  expect(last.progress_details.original_size).toBeGreaterThan(5_000_000);
  expect(pick(samples, 'repository_last_restore_timestamp')).toEqual(stamp(restored.completed_at));
  expect(pick(samples, 'repository_last_check_success')).toEqual([[here, 1]]);
  const newest = Math.max(...(await archivesOf(api, path)).map(({ start }) => Date.parse(start)));
  const age = Number(value('repository_newest_archive_age_seconds')[0]);
  expect(Math.abs((Date.now() - newest) / 1000 - age)).toBeLessThan(30);
  const [hits, misses] = value('cache_lookups_total');
  // Where others may have built it, it is looked for again before it is built.
  expect([Number(hits) > 0, misses]).toEqual([true, usesRedis ? 2 : 1]);
  const waited = (Date.parse(check.started_at) - Date.parse(check.requested_at)) / 1000;
  expect(pick(samples, 'jobs_last_wait_seconds')).toContainEqual([{ type: 'check' }, waited]);
});

test('counts undelivered messages in the outbox', async () => {
  const gone = await HttpSink.open();
  const service_url = webhookUrl(gone);
  await gone.close();
  await api.post('/api/notifications', { name: 'away', service_url, notify_on_backup_start: true });
  const { started_at } = await backUp(api, home.path);
  text = (await scrape()).text;
  expect(value('outbox_pending')).toEqual([1]);
  expect(Number(value('outbox_oldest_seconds')[0])).toBeGreaterThan(0);
  const since = (Date.now() - Date.parse(started_at ?? '')) / 1000;
  expect(Number(value('outbox_oldest_seconds')[0])).toBeLessThan(since + 1);
});

test('passes promtool except for the documented names', async () => {
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

test('recalculates the figures from the jobs by a command', async () => {
  const about = (metrics: string) =>
    metrics.split('\n').filter((line) => /^bk_\w+_(jobs_total|last_\w+)[{ ]/.test(line));
  const before = about((await scrape()).text);
  await server.stop();
  const database = await server.database();
  await database.all('DELETE FROM job_figures');
  const env = { DATA_DIR: server.dataDirectory, ...server.storeVariables };
  expect((await holdfast(['rebuild-figures'], { env })).out).toMatch(/^Counted \d+ finished jobs/);
  await server.launch();
  expect(about((await scrape()).text)).toEqual(before);
});

test('refuses access without the token', async () => {
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
