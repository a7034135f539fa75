import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, createRepository, endedJob, expectRefusal, jobOf, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { MemoryRepository } from '../memory-repository.js';
import { TestServer } from '../server.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let small: string;
let count = 0;

beforeAll(async () => {
  server = await TestServer.start({ driver: 'memory', env: { SHUTDOWN_GRACE_SECONDS: '1' } });
  api = await server.login();
  small = server.workspace.folder('small');
  makeFiles(small, 50);
});
afterAll(() => server.remove());

async function repository(): Promise<Repository> {
  count += 1;
  const path = join(server.workspace.path, `repository-${count}`);
  const name = `repository ${count}`;
  return createRepository(api, { name, path, source_directories: [small] });
}

interface Run {
  planned_at: string;
  trigger: string;
  late_seconds: number | null;
  outcome: string;
  reason: string | null;
  job_ids: number[];
}

async function schedule(input: object): Promise<number> {
  const answer = await api.post('/api/schedule/', { cron_expression: '0 0 1 1 *', ...input });
  expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
  return answer.body.job.id as number;
}

const runsOf = async (id: number) => (await api.get(`/api/schedule/${id}/runs`)).body.runs as Run[];

const endedRun = (id: number) =>
  waitFor(async () => (await runsOf(id)).find(({ outcome }) => outcome !== 'running'), {
    what: `the end of a run of schedule ${id}`,
    timeoutMs: 120_000,
  });

test('runs a schedule with two repositories as two jobs and one run', async () => {
  const [first, second] = [await repository(), await repository()];
  const id = await schedule({ name: 'both', repository_ids: [second.id, first.id] });
  const answer = await api.post(`/api/schedule/${id}/run-now`);
  expect(answer.body).toMatchObject({
    success: true,
    status: 'pending',
    message: expect.stringContaining('2 backups'),
  });
  const [one, two] = answer.body.job_ids as number[];
  expect(answer.body.job_id).toBe(one);
  expect(await jobOf(api, one ?? 0)).toMatchObject({ repository: second.path, scheduled_job_id: id });
  const jobs = [await endedJob(api, one ?? 0), await endedJob(api, two ?? 0)];
  expect(jobs.map(({ status, repository }) => [status, repository])).toEqual([
    ['completed', second.path],
    ['completed', first.path],
  ]);
  for (const [n, { path }] of [second, first].entries()) {
    expect((await archivesOf(api, path)).map(({ name }) => name)).toEqual([jobs[n]?.archive_name]);
  }
  expect(await endedRun(id)).toMatchObject({ outcome: 'completed', trigger: 'run_now', job_ids: [one, two] });
  const listed = await api.get('/api/backup/jobs', { scheduled_only: true });
  expect(listed.body.jobs.map(({ id }: { id: number }) => id)).toEqual([two, one]);
});

test('runs each slot when it is due, and ends an interrupted run once', async () => {
  const slow = await repository();
  const held = new MemoryRepository(slow.path);
  held.hold();
  const quick = [await repository(), await repository()];
  const names = quick.map(({ id }) => id);
  const cron_expression = '* * * * *';
  const ids = await Promise.all(
    [slow.id, ...names].map((id) =>
      schedule({ name: `minute ${id}`, cron_expression, repository_ids: [id] }),
    ),
  );
  const [cut = 0] = ids;
  const { next_run } = (await api.get(`/api/schedule/${cut}`)).body.job;
  expect(next_run).toMatch(/:00(\.000)?Z$/);
  const planned = Date.now() + 1_000;
  const database = await server.database();
  await database.all('UPDATE schedule SET next_run = ?', planned);
  await database.close();
  const started = await waitFor(async () => (await runsOf(cut))[0], { what: 'a run when it is due' });
  expect(Date.parse(started.planned_at)).toBe(planned);
  await waitFor(async () => (await Promise.all(ids.map(runsOf))).every((runs) => runs.length > 0), {
    what: 'a run of each schedule',
  });
  for (const id of ids) expect((await api.post(`/api/schedule/${id}/toggle`)).body.enabled).toBe(false);

  const [job = 0] = started.job_ids;
  for (const id of ids.slice(1)) expect(await endedRun(id)).toMatchObject({ outcome: 'completed' });
  await held.reached();
  await server.restart('SIGKILL');
  expect((await endedJob(api, job, 60_000)).status).toBe('failed');
  const runs = await runsOf(cut);
  expect(runs).toEqual([
    expect.objectContaining({
      planned_at: started.planned_at,
      outcome: 'failed',
      job_ids: [job],
      reason: expect.stringMatching(/^repository \d+ failed: Interrupted/),
    }),
  ]);
  expect((await api.get(`/api/schedule/${cut}`)).body.job.last_error).toMatch(/Interrupted/);
});

test('repeats a run once that was interrupted by SIGTERM', async () => {
  const slow = await repository();
  const held = new MemoryRepository(slow.path);
  held.hold();
  const id = await schedule({ name: 'again', repository_ids: [slow.id] });
  const [job = 0] = (await api.post(`/api/schedule/${id}/run-now`)).body.job_ids as number[];
  await held.reached();
  await server.stop('SIGTERM');
  held.release();
  await server.launch();
  const run = await endedRun(id);
  expect(run).toMatchObject({ outcome: 'completed', reason: null });
  expect(run.job_ids).toHaveLength(2);
  expect((await endedJob(api, job)).status).toBe('failed');
  const archives = await archivesOf(api, slow.path);
  expect(archives).toHaveLength(1);
});

test('disables a schedule with a note when its last repository is removed', async () => {
  const only = await repository();
  const id = await schedule({ name: 'orphan', repository_ids: [only.id] });
  expect((await api.delete(`/api/repositories/${only.id}`)).status).toBe(200);
  const { job } = (await api.get(`/api/schedule/${id}`)).body;
  expect(job).toMatchObject({ enabled: false, repository_ids: [] });
  expect(job.last_error).toMatch(/was deleted/);
  expectRefusal(await api.post(`/api/schedule/${id}/run-now`), 400, /no repositories/);
});

test('returns the documented codes, paths and permissions', async () => {
  const { id } = await repository();
  const body = { name: 'wire', cron_expression: '0 2 * * *', repository_id: id };
  expect((await api.post('/api/schedule', body)).status).toBe(201);
  expectRefusal(await api.post('/api/schedule/', body), 409, /name/);
  const bad = (extra: object) => api.post('/api/schedule/', { ...body, name: 'bad', ...extra });
  expectRefusal(await bad({ cron_expression: '0 0 31 2 *' }), 400, /never fires/);
  expectRefusal(await bad({ repository_id: 9_999 }), 400, /9999/);
  expectRefusal(await bad({ prune_keep_daily: -2 }), 400, /prune_keep_daily must be -1 or more/i);
  expectRefusal(await bad({ enabled: null }), 400, /enabled/i);
  expectRefusal(await api.get('/api/schedule/upcoming-jobs', { hours: 0 }), 400, /hours/i);
  expectRefusal(await api.get('/api/schedule/abc'), 400);
  expectRefusal(await api.get('/api/schedule/9999'), 404);
  expect((await api.get('/api/schedule/cron-presets')).body.presets).toHaveLength(11);
  expect((await api.post('/api/schedule/validate-cron', {})).body).toMatchObject({
    success: true,
    cron_expression: '* * * * *',
    description: 'Every minute',
  });
  const wrong = await api.post('/api/schedule/validate-cron', { minute: '60' });
  expect([wrong.status, wrong.body.success]).toEqual([200, false]);
  const upcoming = await api.get('/api/schedule/upcoming-jobs', { hours: 48 });
  expect(upcoming.body.upcoming_jobs.map(({ name }: { name: string }) => name)).toEqual(['wire', 'wire']);
  const token = (await api.post('/api/auth/tokens', { name: 'reader', read_only: true })).body.access_token;
  const reader = api.as(token);
  expect((await reader.get('/api/schedule/')).status).toBe(200);
  expect((await reader.post('/api/schedule/validate-cron', {})).status).toBe(200);
  expectRefusal(await reader.post('/api/schedule/', body), 403);
});
