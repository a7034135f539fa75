/** Restores of a sample prove a repository, or tell that it is broken. */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  archived,
  backUp,
  createRepository,
  expectRefusal,
  isTerminal,
  type Repository,
} from '../actions.js';
import type { Answer, Api } from '../api.js';
import { holdfast } from '../command.js';
import { noMounts, SmallDisk } from '../faults/small-disk.js';
import { HeldSource, onlyFrom } from '../held-source.js';
import { endedMaintenance, flipOneBit } from '../maintenance.js';
import { samplesOf } from '../metrics.js';
import { borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

let server: TestServer;
let api: Api;
let user: Api;
let home: Repository;
let source: string;

const of = (repository: Repository, what: string) => `/api/repositories/${repository.id}/${what}`;
const scratchOf = (dataDirectory: string) => {
  const folder = join(dataDirectory, 'drills');
  return existsSync(folder) ? readdirSync(folder) : [];
};

async function ended(as: Api, jobId: number): Promise<Answer['body']> {
  const look = async () => {
    const { job } = (await as.get(`/api/jobs/${jobId}`)).body;
    return isTerminal(job) && job;
  };
  return waitFor(look, { what: `the end of drill job ${jobId}`, timeoutMs: 60_000 });
}

/** Runs a drill by hand. Resolves to its evidence. */
async function drill(as: Api, repository: Repository): Promise<Answer['body']> {
  const started = await as.post(of(repository, 'drill'));
  expect(`${started.status} ${started.text}`).toMatch(/^200 /);
  await ended(as, started.body.job_id);
  const { drills } = (await as.get('/api/drills', { repository_id: repository.id, limit: 1 })).body;
  expect(drills[0]?.job_id).toBe(started.body.job_id);
  const evidence = await as.get(`/api/drills/${drills[0].id}`, { limit: 1000 });
  expect(evidence.status).toBe(200);
  return evidence.body;
}

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
const resultOf = ({ results }: Answer['body'], path: string) =>
  results.find((each: { path: string }) => each.path === path);

test('restores every file, compares it by hash and leaves nothing behind', async () => {
  expect(await homeNow()).toMatchObject({ last_verified_restore: null, coverage_percent: null });
  expectRefusal(await user.post(of(home, 'drill')), 403);
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
  const put = (body: object) => api.put(of(home, 'drill-schedule'), body);
  expectRefusal(await user.request('PUT', of(home, 'drill-schedule'), { json: {} }), 403);
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
  const started = await api.post(of(home, 'drill'));
  expect(started.body.message).toMatch(new RegExp(`backup job ${backup} of repository home`));
  expectRefusal(await api.post(of(home, 'drill')), 409, new RegExp(`drill job ${started.body.job_id}`));
  await api.put(of(home, 'drill-schedule'), { cron_expression: '0 4 * * *' });
  await database.all('UPDATE drill_schedule SET next_run = ?', Date.now());
  const skipped = async () => (await user.get(of(home, 'drill-schedule'))).body.last_error;
  expect(await waitFor(skipped, { what: 'the skipped drill' })).toContain(
    `was skipped: drill job ${started.body.job_id}`,
  );
  expectRefusal(await user.post(`/api/jobs/${started.body.job_id}/cancel`), 403);
  await api.post(`/api/jobs/${started.body.job_id}/cancel`);
  expect(await ended(api, started.body.job_id)).toMatchObject({ status: 'cancelled' });
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
  expect((await user.get(of(home, 'drill-schedule'))).body).toMatchObject({
    last_error: null,
    enabled: true,
  });
  await api.put(of(home, 'drill-schedule'), { cron_expression: '' });
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

test('reports a flipped bit as an incident until a repair and a backup', async () => {
  const random = server.workspace.folder('random');
  makeRandomFiles(random, 3, 2);
  makeFiles(random, 30);
  const path = join(server.workspace.path, 'vault');
  const vault = await createRepository(api, {
    name: 'vault',
    path,
    source_directories: [random],
    freshness_hours: 24,
  });
  expect((await backUp(api, path)).status).toBe('completed');
  expect((await overview()).headline.state).toBe('protected');
  flipOneBit(path);
  const broken = await drill(api, vault);
  expect(broken.drill).toMatchObject({ status: 'failed', verdict: 'failed', failed_files: 1 });
  const [first] = broken.results;
  expect(first).toMatchObject({
    verdict: 'failed',
    reason_code: 'drill_not_readable',
    path: expect.stringMatching(/random-\d\.bin$/),
  });
  expect(broken.drill.error_message).toContain(first.path);
  const others = broken.results.filter(({ verdict }: { verdict: string }) => verdict === 'passed');
  expect(others).toHaveLength(32);

  const incidents = async (open: string) =>
    (await api.get('/api/incidents', { cause: 'drill_failed', open })).body.incidents;
  const [opened] = await waitFor(async () => (await incidents('true')).length > 0 && incidents('true'), {
    what: 'the incident',
  });
  expect(opened).toMatchObject({ cause: 'drill_failed', repository_id: vault.id });
  expect(opened.reason.text).toContain(first.path);
  const now = await overview();
  expect(now.headline).toMatchObject({ state: 'unknown', code: 'overview_drill_failed' });
  expect(now.attention[0]).toMatchObject({ cause: 'drill_failed', incident_id: opened.id });
  expect(now.repositories[1]).toMatchObject({
    status: 'unknown',
    reason: { code: 'protection_drill_failed' },
  });
  expect((await api.request('GET', '/health/protection', { token: null })).body.counts.protected).toBe(1);

  const repaired = await endedMaintenance(
    ...([api, 'check', await api.post(of(vault, 'repair'), { confirm_name: 'vault' })] as const),
  );
  expect(repaired.status).toBe('completed_with_warnings');
  // Zeros instead of the content are damage.
  const zeros = await drill(api, vault);
  expect(zeros.drill.verdict).toBe('failed');
  expect(resultOf(zeros, first.path)).toMatchObject({ verdict: 'failed', reason_code: 'drill_content_lost' });
  expect(zeros.drill.coverage_percent).toBeLessThan(100);

  expect((await backUp(api, path)).status).toBe('completed');
  const whole = await drill(api, vault);
  expect(whole.drill).toMatchObject({ verdict: 'passed', failed_files: 0, coverage_percent: 100 });
  const [closed] = await waitFor(
    async () => {
      const all = await incidents('false');
      return all.some(({ id }: { id: number }) => id === opened.id) && all;
    },
    { what: 'the end of the incident' },
  );
  expect(closed).toMatchObject({ id: opened.id, open: false, recovery: { code: 'incident_over_drill' } });
  expect(closed.since).toBe(opened.since);
  const { attempts } = (await api.get(`/api/incidents/${opened.id}`)).body;
  const tried = attempts.last.map(({ kind, status }: { kind: string; status: string }) => [kind, status]);
  expect(tried).toEqual([
    ['drill', 'completed'],
    ['backup', 'completed'],
    ['drill', 'failed'],
    ['check', 'completed_with_warnings'],
  ]);
  expect((await overview()).repositories[1].last_verified_restore).toBe(whole.drill.ended_at);
});

test('repeats a scheduled drill after a shutdown without a result', async () => {
  const database = await server.database();
  const held = join(home.path, 'lock.exclusive');
  mkdirSync(held);
  writeFileSync(join(held, 'elsewhere.example@1234.4711-0'), '');
  await api.put(of(home, 'drill-schedule'), { cron_expression: '0 4 * * *' });
  await database.all('UPDATE drill_schedule SET next_run = ?', Date.now());
  await waitFor(() => borgProcesses(home.path).length > 0, { what: 'the tool' });
  await server.stop();
  rmSync(held, { recursive: true });
  await server.launch();
  const rerun = async () => {
    const { drills } = (await api.get('/api/drills', { limit: 2 })).body;
    return drills[1].error_code === 'job_interrupted' && drills;
  };
  const [second, first] = await waitFor(rerun, { what: 'the second run', timeoutMs: 60_000 });
  expect([first.status, first.verdict]).toEqual(['failed', 'none']);
  expect([second.verdict, second.planned_at]).toEqual(['passed', first.planned_at]);
  const { incidents } = (await api.get('/api/incidents', { cause: 'drill_failed', open: 'true' })).body;
  expect(incidents).toEqual([]);
  await api.put(of(home, 'drill-schedule'), { cron_expression: '' });
  await database.close();
});

describe.skipIf(noMounts)('on a small disk', () => {
  test('checks the space first and names the needed and the free space', async () => {
    const workspace = makeWorkspace();
    const disk = await SmallDisk.mount(workspace.folder('data'), 80);
    const small = await TestServer.start({ workspace, wrapper: disk.wrapper, dataDirectory: disk.path });
    try {
      const as = await small.login();
      makeRandomFiles(workspace.folder('large'), 4, 16);
      const repository = await createRepository(as, {
        name: 'large',
        path: join(workspace.path, 'large-repository'),
        source_directories: [join(workspace.path, 'large')],
      });
      expect((await backUp(as, repository.path)).status).toBe('completed');
      const told = await drill(as, repository);
      expect(told.drill).toMatchObject({ status: 'failed', verdict: 'none', restored_files: 0 });
      expect(told.drill.error_message).toMatch(/needs \d+.* in .*drills, which has \d+.* free/);
      expect(scratchOf(join(disk.seen))).toEqual([]);
    } finally {
      await small.remove();
      await disk.remove();
    }
  });
});
