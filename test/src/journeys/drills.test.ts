/** Restores of a sample prove a repository. */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archived, backUp, createRepository, expectRefusal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { holdfast } from '../command.js';
import { drill, endedDrill, pathOf, resultOf, scratchOf } from '../drills.js';
import { HeldSource, onlyFrom } from '../held-source.js';
import { samplesOf } from '../metrics.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let user: Api;
let home: Repository;
let source: string;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  await api.post('/api/auth/users', { username: 'mallory', password: 'a password of a user' });
  user = await server.login('mallory', 'a password of a user');
  source = server.workspace.folder('source');
  makeRandomFiles(join(source, 'random'), 3, 2);
  makeFiles(source, 30);
  home = await createRepository(api, {
    name: 'home',
    path: join(server.workspace.path, 'home'),
    source_directories: [source],
    freshness_hours: 24,
  });
  expect((await backUp(api, home.path)).status).toBe('completed');
});
afterAll(() => server?.remove());

const overview = async () => (await api.get('/api/overview')).body;
const homeNow = async () => (await overview()).repositories[0];
test('restores every file, compares it by hash and leaves nothing behind', async () => {
  expect(await homeNow()).toMatchObject({ last_verified_restore: null, coverage_percent: null });
  expectRefusal(await user.post(pathOf(home, 'drill')), 403);
  const { drill: told, results, results_total } = await drill(api, home);
  expect(told).toMatchObject({
    status: 'completed',
    verdict: 'passed',
    failed_files: 0,
    restored_files: 33,
    error_message: null,
    compared_with_source: 33,
    source_changed: 0,
    requested_by: 'admin',
    coverage_percent: 100,
  });
  expect(results_total).toBe(33);
  const path = join(archived(source), 'random', 'random-0.bin');
  const sha256 = createHash('sha256')
    .update(readFileSync(`/${path}`))
    .digest('hex');
  expect(resultOf({ results }, path)).toMatchObject({
    verdict: 'passed',
    compared_with: 'source',
    source: 'unchanged',
    sha256,
    size: 2 * 2 ** 20,
  });
  expect(scratchOf(server.dataDirectory)).toEqual([]);
  expect(await homeNow()).toMatchObject({
    last_verified_restore: told.ended_at,
    coverage_percent: 100,
    status: 'protected',
  });
  const protection = await api.get('/api/system/protection', { known_only: 'true' });
  expect(protection.body.repositories[0]).toMatchObject({ last_verified_restore: told.ended_at });
  const { text } = await server.api.request('GET', '/metrics', { token: null });
  const values = Object.fromEntries(samplesOf(text).map(({ name, value }) => [name, value]));
  expect(values).toMatchObject({
    bk_repository_drill_coverage_percent: 100,
    bk_repository_drill_failed: 0,
    bk_repository_last_verified_restore_timestamp: Date.parse(told.ended_at) / 1000,
  });
  const { job } = (await user.get(`/api/jobs/${told.job_id}`)).body;
  expect(job).toMatchObject({ kind: 'drill', about: { drilled_files: 33, failed_files: 0 } });
});

test('ignores changed sources, but reports other content with old time and size', async () => {
  const changed = join(source, 'random', 'random-1.bin');
  appendFileSync(changed, 'more');
  const reset = join(source, 'random', 'random-2.bin');
  const { atime, mtime } = statSync(reset);
  writeFileSync(reset, Buffer.alloc(2 * 2 ** 20, 1));
  utimesSync(reset, atime, mtime);
  const told = await drill(api, home);
  expect(told.drill).toMatchObject({ verdict: 'passed', failed_files: 0, source_changed: 2 });
  expect(resultOf(told, changed.slice(1))).toMatchObject({ verdict: 'passed', source: 'changed' });
  // Its inode says that it was written after the backup.
  expect(resultOf(told, reset.slice(1))).toMatchObject({ verdict: 'passed', source: 'changed' });
  expect((await backUp(api, home.path)).status).toBe('completed');
});

test('always restores fixed paths, limits the rest and fails for missing paths', async () => {
  const fixed = join(archived(source), 'random');
  const put = (body: object) => api.put(pathOf(home, 'drill-schedule'), body);
  expectRefusal(await user.request('PUT', pathOf(home, 'drill-schedule'), { json: {} }), 403);
  expectRefusal(await put({ fixed_paths: ['a/../b'] }), 400, /fixed_paths/);
  expectRefusal(await put({ fixed_paths: ['/'] }), 400, /fixed_paths/);
  expectRefusal(await put({ cron_expression: 'each night' }), 400);
  const changed = await put({ sample_files: 4, sample_bytes: 2 ** 20, fixed_paths: [`/${fixed}`] });
  expect(changed.body).toMatchObject({ enabled: false, fixed_paths: [fixed], next_run: null });
  const told = await drill(api, home);
  expect(told.drill).toMatchObject({ verdict: 'passed', restored_files: 7 });
  const restored = told.results.map(({ path }: { path: string }) => path);
  expect(restored.filter((path: string) => path.startsWith(fixed))).toHaveLength(3);
  await put({ fixed_paths: ['no/such/path'] });
  const failed = await drill(api, home);
  expect(failed.results[0]).toMatchObject({ path: 'no/such/path', verdict: 'failed' });
  await put({ sample_files: 200, sample_bytes: 2 ** 30, fixed_paths: [] });
  expect((await drill(api, home)).drill.verdict).toBe('passed');
});

test('waits in the lane, skips a scheduled drill, and can be cancelled', async () => {
  const database = await server.database();
  const held = new HeldSource(server.workspace.folder('held'));
  await api.put(`/api/repositories/${home.id}`, held.settings);
  const backup = (await api.post('/api/backup/start', { repository: home.path })).body.job_id;
  await waitFor(async () => (await api.get(`/api/backup/status/${backup}`)).body.status === 'running', {
    what: 'the backup',
  });
  const started = await api.post(pathOf(home, 'drill'));
  expect(started.body.message).toMatch(new RegExp(`backup job ${backup} of repository home`));
  expectRefusal(await api.post(pathOf(home, 'drill')), 409, new RegExp(`drill job ${started.body.job_id}`));
  await api.put(pathOf(home, 'drill-schedule'), { cron_expression: '0 4 * * *' });
  await database.all('UPDATE drill_schedule SET next_run = ?', Date.now());
  const skipped = async () => (await user.get(pathOf(home, 'drill-schedule'))).body.last_error;
  expect(await waitFor(skipped, { what: 'the skipped drill' })).toContain(
    `was skipped: drill job ${started.body.job_id}`,
  );
  expectRefusal(await user.post(`/api/jobs/${started.body.job_id}/cancel`), 403);
  await api.post(`/api/jobs/${started.body.job_id}/cancel`);
  expect(await endedDrill(api, started.body.job_id)).toMatchObject({ status: 'cancelled' });
  await held.release();
  await api.put(`/api/repositories/${home.id}`, onlyFrom(source));
  expect((await backUp(api, home.path)).status).toBe('completed');

  await database.all('UPDATE drill_schedule SET next_run = ?', Date.now());
  const planned = async () => {
    const { drills } = (await api.get('/api/drills', { limit: 1 })).body;
    return drills[0].planned_at !== null && drills[0];
  };
  const told = await waitFor(planned, { what: 'the planned drill', timeoutMs: 30_000 });
  expect(told).toMatchObject({ verdict: 'passed', requested_by: 'drill schedule' });
  expect((await user.get(pathOf(home, 'drill-schedule'))).body).toMatchObject({
    last_error: null,
    enabled: true,
  });
  await api.put(pathOf(home, 'drill-schedule'), { cron_expression: '' });
  await database.close();
});

test('exports the evidence with its hash in the audit trail', async () => {
  const verify = (text: string) => {
    const lines = text.trimEnd().split('\n');
    const last = lines.pop() ?? '';
    const hash = createHash('sha256')
      .update(`${lines.join('\n')}\n`)
      .digest('hex');
    expect(last).toContain(hash);
    return hash;
  };
  const json = await user.get('/api/drills/export', { repository_id: home.id });
  expect(json.text).toContain('holdfast-drills-1');
  expect(json.headers['content-disposition']).toMatch(/drills-.*\.json/);
  const hash = verify(json.text);
  const parsed = JSON.parse(json.text);
  expect(parsed.sha256).toBe(hash);
  expect(parsed.evidence.drills.at(-1)).toMatchObject({ verdict: 'passed', results: expect.any(Array) });
  const page = await user.get('/api/drills/export', { format: 'html' });
  const pageHash = verify(page.text);
  expect(page.text).toMatch(/<!doctype html>[\s\S]*Passed/);
  const { entries } = (await api.get('/api/audit', { action: 'drillsExport', limit: 2 })).body;
  expect(entries.map(({ note }: { note: string }) => note)).toEqual([`sha256 ${pageHash}`, `sha256 ${hash}`]);
  expectRefusal(await user.get('/api/drills/export', { from: 'yesterday' }), 400);
  const verified = await holdfast(['audit', 'verify'], {
    env: { ...server.storeVariables, DATA_DIR: server.dataDirectory },
  });
  expect(`${verified.code} ${verified.err}`).toMatch(/^0 /);
});
