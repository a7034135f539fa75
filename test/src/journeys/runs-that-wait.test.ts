import { existsSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRepository, endedJob, startBackup } from '../actions.js';
import type { Api } from '../api.js';
import { TestServer } from '../server.js';
import { HttpSink, webhookUrl } from '../services/http-sink.js';
import { TestSshd } from '../services/sshd.js';
import { quickSetup } from '../ssh-actions.js';
import { makeFiles } from '../trees.js';
import { waitFor } from '../wait-for.js';

let server: TestServer;
let api: Api;
let source: string;
let count = 0;

beforeAll(async () => {
  server = await TestServer.start();
  api = await server.login();
  source = server.workspace.folder('source');
  makeFiles(source, 3);
});
afterAll(() => server?.remove());

async function newRepository(settings: object = {}) {
  count += 1;
  const path = server.workspace.folder('repositories', `${count}`);
  const about = { name: `waits ${count}`, path, encryption: 'none', source_directories: [source] };
  return createRepository(api, { ...about, ...settings });
}

async function schedule(input: object): Promise<number> {
  const answer = await api.post('/api/schedule/', { cron_expression: '0 0 1 1 *', ...input });
  expect(`${answer.status} ${answer.text}`).toMatch(/^201 /);
  return answer.body.job.id as number;
}

const runsOf = async (id: number) => (await api.get(`/api/schedule/${id}/runs`)).body.runs;

const endedRun = (id: number) =>
  waitFor(async () => (await runsOf(id)).find(({ outcome }: { outcome: string }) => outcome !== 'running'), {
    what: `the end of a run of schedule ${id}`,
    timeoutMs: 120_000,
  });

test('skips a backup whose hook ends with exit code 75, without an alert', async () => {
  const disk = join(server.workspace.path, 'disk');
  const after = join(server.workspace.path, 'after');
  const repository = await newRepository({
    pre_backup_script: `test -e ${disk} || { echo looking; echo 'the disk is away' >&2; exit 75; }`,
    post_backup_script: `echo "$BK_UI_BACKUP_STATUS" >> ${after}`,
  });
  const id = await schedule({
    name: 'with a disk',
    repository_ids: [repository.id],
    run_repository_scripts: true,
    run_prune_after: true,
  });
  await api.post(`/api/schedule/${id}/run-now`);
  const run = await endedRun(id);
  const reason = `The pre-backup hook "pre-backup script of ${repository.name}" postponed the backup: the disk is away`;
  expect(run).toMatchObject({
    outcome: 'skipped',
    reason: `${repository.name} was not backed up. ${reason}`,
    reason_code: 'run_backup_postponed',
    reason_params: { reason_code: 'hook_postponed' },
  });
  expect(await endedJob(api, run.job_ids[0])).toMatchObject({
    status: 'cancelled',
    error_message: reason,
    error_code: 'hook_postponed',
  });
  const manual = await endedJob(api, await startBackup(api, repository.path));
  expect([manual.status, manual.error_message]).toEqual(['cancelled', reason]);
  expect(existsSync(after)).toBe(true);
  expect((await api.get(`/api/schedule/${id}`)).body.job.last_error).toBeNull();
  expect((await api.get('/api/incidents')).body.incidents).toEqual([]);
  const { jobs } = (await api.get('/api/jobs')).body;
  expect(jobs.filter(({ kind }: { kind: string }) => kind === 'prune')).toEqual([]);

  writeFileSync(disk, '');
  const made = await endedJob(api, await startBackup(api, repository.path));
  expect([made.status, made.error_message]).toEqual(['completed', null]);
  rmSync(disk);
});

interface Run {
  planned_at: string;
  outcome: string;
  waiting: boolean;
  reason_code: string | null;
  job_ids: number[];
}
const soon = (schedule: number) => dueAt(schedule, Date.now() + 500);
async function dueAt(schedule: number, at: number) {
  const database = await server.database();
  await database.all('UPDATE schedule SET next_run = ? WHERE id = ?', at, schedule);
  await database.close();
}
const runLike = (id: number, like: (run: Run) => boolean, what: string): Promise<Run> =>
  waitFor(async () => ((await runsOf(id)) as Run[]).find(like), { what, timeoutMs: 120_000 });

test('starts a run within 30 seconds after its own disk appeared', async () => {
  const [repository, other] = [await newRepository(), await newRepository()];
  const { path } = repository;
  const away = `${path}-away`;
  renameSync(path, away);
  const id = await schedule({
    name: 'on a disk',
    repository_ids: [repository.id],
    when: { place_present: true },
  });
  await soon(id);
  const waiting = await runLike(id, (run) => run.waiting, 'a run that waits');
  expect(waiting).toMatchObject({ outcome: 'running', job_ids: [] });
  const shown = await waitFor(
    async () =>
      (await api.get('/api/overview')).body.waiting.find(
        (each: { reason_code: string }) => each.reason_code === 'run_waits_for_disk',
      ),
    { what: 'the reason in the overview', timeoutMs: 60_000 },
  );
  expect(shown).toMatchObject({ schedule_id: id, name: 'on a disk' });

  symlinkSync(other.path, path);
  await runLike(id, (run) => run.reason_code === 'run_waits_for_other_disk', 'a run that found another disk');
  rmSync(path);
  renameSync(away, path);
  const appeared = Date.now();
  const done = await runLike(id, (run) => run.outcome === 'completed', 'the run after its disk appeared');
  const { started_at } = await endedJob(api, done.job_ids[0] ?? 0);
  expect(Date.parse(started_at ?? '') - appeared).toBeLessThan(30_000);
  expect((await api.get('/api/incidents')).body.incidents).toEqual([]);
  expect((await api.get('/api/overview')).body.waiting).toEqual([]);
});

test('tries a backup again in its run when the host is back', async () => {
  const sshd = await TestSshd.start();
  const sink = await HttpSink.open();
  try {
    const connection = await quickSetup(api, sshd);
    await api.post('/api/notifications', { name: 'on call', service_url: webhookUrl(sink) });
    const about = { name: 'far', path: join(sshd.home, 'far'), connection_id: connection.id };
    const repository = await createRepository(api, { ...about, source_directories: [source] });
    const id = await schedule({
      name: 'to a host',
      repository_ids: [repository.id],
      retry: { times: 3, after_minutes: 1 },
    });
    await sshd.stop();
    await soon(id);
    const waiting = await runLike(id, (run) => run.waiting && run.job_ids.length > 0, 'a failed attempt');
    expect(waiting.reason_code).toBe('run_waits_to_retry');
    await sshd.launch();
    const database = await server.database();
    await database.all("UPDATE slot SET start_after = ? WHERE outcome = 'waiting'", Date.now());
    await database.close();
    const done = await runLike(id, (run) => run.outcome === 'completed', 'the second attempt');
    expect(done.job_ids.length).toBeGreaterThan(1);
    expect((await api.get(`/api/schedule/${id}`)).body.job.last_error).toBeNull();
    await sshd.stop();
    await api.put(`/api/schedule/${id}`, { retry: null });
    await soon(id);
    await runLike(id, (run) => run.outcome === 'failed', 'a run without retries');
    await waitFor(() => sink.requests.length > 0, { what: 'the message', timeoutMs: 60_000 });
    const told = sink.requests.map(({ body }) => JSON.parse(body).event);
    expect(told).toEqual(['backup_failure']);
  } finally {
    await sshd.remove();
    await sink.close();
  }
}, 400_000);

test('pauses all schedules, also over a restart and an end while it was down', async () => {
  const repository = await newRepository();
  const id = await schedule({
    name: 'minutely',
    cron_expression: '* * * * *',
    repository_ids: [repository.id],
  });
  const day = 86_400_000;
  const until = new Date(Date.now() + day).toISOString();
  expect((await api.put('/api/schedule/pause', { pause_until: until })).body).toMatchObject({
    pause_until: until,
  });
  const { paused, next_run } = (await api.get('/api/overview')).body;
  expect(paused).toEqual([{ schedule_id: null, name: null, until }]);
  expect(next_run.at >= until).toBe(true);
  expect((await api.get('/api/schedule/upcoming-jobs', { hours: 23 })).body.upcoming_jobs).toEqual([]);

  const minute = 60_000;
  const now = Math.floor(Date.now() / minute) * minute;
  const due = (at: number) => dueAt(id, at);
  const rows = async (least: number) =>
    waitFor(
      async () => {
        const runs = (await runsOf(id)) as { planned_at: string; outcome: string; reason_code: string }[];
        return runs.length >= least && runs;
      },
      { what: `${least} runs in the history`, timeoutMs: 90_000 },
    );
  await due(now - 30 * minute);
  for (const { outcome, reason_code } of await rows(31)) {
    expect(outcome).toBe('skipped');
    expect(reason_code).toBe('run_paused');
  }

  await server.stop('SIGKILL');
  await due(now - 29 * minute);
  await server.launch();
  api = await server.login();
  expect((await api.get('/api/schedule/pause')).body.pause_until).toBe(until);
  expect(new Set((await rows(31)).map(({ outcome }) => outcome))).toEqual(new Set(['skipped']));

  await server.stop('SIGKILL');
  const database = await server.database();
  const end = now - 3 * minute;
  await database.all('DELETE FROM slot WHERE schedule_id = ?', id);
  await database.all("UPDATE setting SET value = ? WHERE key = 'schedules_paused_until'", String(end));
  await database.close();
  await due(now - 5 * minute);
  await server.launch();
  api = await server.login();
  const run = await waitFor(
    async () => (await runsOf(id)).find(({ outcome }: { outcome: string }) => outcome === 'completed'),
    { what: 'the run after the pause', timeoutMs: 90_000 },
  );
  const before = ((await runsOf(id)) as { planned_at: string; outcome: string }[]).filter(
    ({ planned_at }) => planned_at < run.planned_at,
  );
  const outcomes = before.map(({ planned_at, outcome }) => [Date.parse(planned_at) < end, outcome]);
  expect(outcomes.slice(-2)).toEqual([
    [true, 'skipped'],
    [true, 'skipped'],
  ]);
  const later = new Set(outcomes.slice(0, -2).map(String));
  expect(later).toEqual(new Set(['false,missed']));
  await api.delete(`/api/schedule/${id}`);
}, 300_000);

test('explains exit code 75 when a script is tried', async () => {
  const made = await api.post('/api/scripts', { name: 'not now', content: 'exit 75' });
  const { body } = await api.post(`/api/scripts/${made.body.id}/test`, {});
  expect(body).toMatchObject({ success: false, exit_code: 75, message_code: 'script_postpones' });
});
