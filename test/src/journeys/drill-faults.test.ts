/** Drills of a damaged repository, on a full disk and over a shutdown. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp, createRepository, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { drill, pathOf, resultOf, scratchOf } from '../drills.js';
import { noMounts, SmallDisk } from '../faults/small-disk.js';
import { endedMaintenance, flipOneBit } from '../maintenance.js';
import { borgProcesses } from '../processes.js';
import { TestServer } from '../server.js';
import { makeFiles, makeRandomFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';
import { makeWorkspace } from '../workspace.js';

let server: TestServer;
let api: Api;
let home: Repository;
let source: string;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  source = server.workspace.folder('source');
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
    ...([api, 'check', await api.post(pathOf(vault, 'repair'), { confirm_name: 'vault' })] as const),
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
  await api.put(pathOf(home, 'drill-schedule'), { cron_expression: '0 4 * * *' });
  await database.all('UPDATE drill_schedule SET next_run = ?', Date.now());
  await waitFor(() => borgProcesses(home.path).length > 0, { what: 'the tool' });
  await server.stop();
  rmSync(held, { recursive: true });
  await server.launch();
  const rerun = async () => {
    const { drills } = (await api.get('/api/drills', { limit: 2 })).body;
    return drills[1]?.error_code === 'job_interrupted' && drills;
  };
  const [second, first] = await waitFor(rerun, { what: 'the second run', timeoutMs: 60_000 });
  expect([first.status, first.verdict]).toEqual(['failed', 'none']);
  expect([second.verdict, second.planned_at]).toEqual(['passed', first.planned_at]);
  const { incidents } = (await api.get('/api/incidents', { cause: 'drill_failed', open: 'true' })).body;
  expect(incidents).toEqual([]);
  await api.put(pathOf(home, 'drill-schedule'), { cron_expression: '' });
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
