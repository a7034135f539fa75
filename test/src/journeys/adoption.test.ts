import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archivesOf, createRepository, endedJob, expectRefusal, type Repository } from '../actions.js';
import type { Api } from '../api.js';
import { Borg, type Decision, type ListedArchive } from '../oracles/borg.js';
import { TestServer } from '../server.js';
import { waitFor } from '../wait-for.js';

/*
 * Someone moves in with 60 archives that borg made without us: what the preview says of them is what borg's own dry run
 * says, and after their adoption the next prune of the schedule does exactly that.
 */
const day = 86_400_000;
const count = 60;

let server: TestServer;
let api: Api;
let borg: Borg;
let source: string;
let home: Repository;
let schedule: { id: number };

const adoptPath = () => `/api/schedule/${schedule.id}/adopt`;
const preview = async (input: object) => {
  const answer = await api.post('/api/schedule/preview', { repository_id: home.id, ...input });
  expect(`${answer.status} ${answer.text}`).toMatch(/^200 /);
  return answer.body;
};
const rulesOf = (archives: readonly { name: string; rule: string }[]) =>
  archives.map(({ name, rule }) => `${name}: ${rule}`).toSorted();
const asRules = (plan: readonly Decision[]) =>
  rulesOf(plan.map(({ name, rule }) => ({ name, rule: rule ?? 'removed' })));
const keptOf = (archives: readonly { name: string; rule: string | null }[]) =>
  archives.filter(({ rule }) => rule !== null && rule !== 'removed').map(({ name }) => name);

/** All rules of a schedule, off unless given. */
const rules = (given: object) => ({
  prune_keep_hourly: 0,
  prune_keep_daily: 0,
  prune_keep_weekly: 0,
  prune_keep_monthly: 0,
  prune_keep_yearly: 0,
  ...given,
});
const adopted = rules({ prune_keep_daily: 6, prune_keep_weekly: 3, prune_keep_monthly: 4 });
const adoptedFlags = ['--keep-daily=6', '--keep-weekly=3', '--keep-monthly=4'];

beforeAll(async () => {
  server = await TestServer.start({ env: { ARCHIVE_SIZES_PER_MINUTE: '60' } });
  api = await server.login();
  source = server.workspace.folder('source');
  writeFileSync(join(source, 'file'), 'content');
  borg = new Borg(join(server.workspace.path, 'repository'), server.workspace.folder('base'));
  await borg.run('init', '--encryption=none', borg.repository);
  const now = Date.now();
  // From hours to more than a year ago.
  const ago = (n: number) => (n < 10 ? (n + 1) * 3 * 3_600_000 : day + (n - 9) ** 1.55 * day);
  const old = Array.from({ length: count }, (_, n) => ({ name: `nas-${n}`, at: now - ago(n) }));
  await borg.createMany(old, source);
  const imported = { name: 'home', path: borg.repository, source_directories: [source] };
  const answer = await api.post('/api/repositories/import', imported);
  expect(answer.status, answer.text).toBe(201);
  home = answer.body.repository;
  const made = await api.post('/api/schedule/', {
    name: 'nightly',
    cron_expression: null,
    repository_ids: [home.id],
    ...adopted,
    run_prune_after: true,
  });
  expect(made.status, made.text).toBe(201);
  schedule = made.body.job;
});
afterAll(() => server?.remove());

test.each([
  [{ prune_keep_daily: 7, prune_keep_weekly: 4, prune_keep_monthly: 6, prune_keep_yearly: 1 }, []],
  [{ prune_keep_hourly: 5, prune_keep_daily: 2 }, []],
  [{ prune_keep_within: '48H' }, ['--keep-within=48H']],
  [{ prune_keep_within: '3m', prune_keep_weekly: 2, prune_keep_yearly: 3 }, ['--keep-within=3m']],
  [{ prune_keep_weekly: 100 }, []],
])('previews %j like borg', async (policy, within) => {
  const flags = Object.entries(policy)
    .filter(([name]) => name !== 'prune_keep_within')
    .map(([name, value]) => `--${name.replace('prune_', '').replace('_', '-')}=${value}`);
  const expected = await borg.prunePlan(...flags, ...within);
  expect(expected).toHaveLength(count);
  const shown = await preview(rules(policy));
  expect(rulesOf(shown.archives)).toEqual(asRules(expected));
  expect(shown).toMatchObject({
    kept_count: expected.filter(({ rule }) => rule !== null).length,
    removed_count: expected.filter(({ rule }) => rule === null).length,
  });
});

test('applies no schedule to external archives before adoption, and leaves them unchanged', async () => {
  expect(await preview({ schedule_id: schedule.id })).toMatchObject({ archives: [], removed_count: 0 });
  const [before] = await archivesOf(api, home.path);
  expect(before).toMatchObject({ made_by: 'external', schedule_id: null, kept_by: null, adopted: false });

  const choice = { repository_id: home.id, pattern: 'nas-*' };
  const dry = await api.post(adoptPath(), { ...choice, dry_run: true });
  expect(dry.body).toMatchObject({ success: true, dry_run: true, already_count: 0 });
  expect(await preview({ schedule_id: schedule.id })).toMatchObject({ archives: [] });
  const done = await api.post(adoptPath(), choice);
  expect(done.body.archives).toEqual(dry.body.archives);
  const expected = await borg.prunePlan(...adoptedFlags);
  expect(rulesOf(done.body.archives)).toEqual(asRules(expected));
  expect(done.body.message).toContain(`${count} archives`);
  const shown = await preview({ schedule_id: schedule.id });
  expect(rulesOf(shown.archives)).toEqual(asRules(expected));
  const again = await api.post(adoptPath(), choice);
  expect(again.body).toMatchObject({ archives: [], already_count: count });

  const kept = keptOf(expected);
  const listed = await api.get('/api/archives/list', { repository_id: home.id, schedule_id: schedule.id });
  expect(listed.body.archives).toHaveLength(count);
  for (const { name, kept_by, made_by } of listed.body.archives) {
    expect([name, kept_by !== null, made_by]).toEqual([name, kept.includes(name), 'external']);
  }
});

test('refuses archives of another schedule, unknown ones and unclear choices', async () => {
  const photos = server.workspace.folder('photos');
  writeFileSync(join(photos, 'file'), 'content');
  const other = await api.post('/api/schedule/', {
    name: 'other',
    cron_expression: '0 3 1 1 *',
    repository_ids: [home.id],
  });
  const taken = { repository_id: home.id, archives: ['nas-1', 'nas-2'] };
  const path = `/api/schedule/${other.body.job.id}/adopt`;
  expectRefusal(await api.post(path, taken), 409, /schedule nightly: nas-1, nas-2/);
  expectRefusal(await api.post(path, { ...taken, archives: ['nope', 'nas-1'] }), 404, /no archive nope/);
  expectRefusal(await api.post(path, { ...taken, pattern: 'nas-*' }), 400, /not both/);
  expectRefusal(await api.post(path, { repository_id: home.id }), 400, /archives or pattern/);
  expectRefusal(await api.post(path, { repository_id: home.id, pattern: 'x*' }), 404, /matches x/);
  const away = await createRepository(api, {
    name: 'away',
    path: join(server.workspace.path, 'away'),
    source_directories: [photos],
  });
  expectRefusal(await api.post(path, { ...taken, repository_id: away.id }), 400, /other does not back up/);
  expect((await api.delete(`/api/schedule/${other.body.job.id}`)).status).toBe(200);
});

test('undoes an adoption by name and adopts again', async () => {
  const one = { repository_id: home.id, archives: ['nas-59'] };
  const undone = await api.request('DELETE', adoptPath(), { json: one });
  expect(undone.body).toMatchObject({ success: true, archives: [{ name: 'nas-59' }] });
  const shown = await preview({ schedule_id: schedule.id });
  expect(shown.archives).toHaveLength(count - 1);
  expect((await api.post(adoptPath(), one)).body.archives).toMatchObject([{ name: 'nas-59' }]);
});

test('measures the sizes of external archives gradually', async () => {
  const measured = async () => {
    const archives = (await archivesOf(api, home.path)) as unknown as { original_size: number | null }[];
    const sizes = archives.flatMap(({ original_size }) => original_size ?? []);
    return sizes.length >= 3 && sizes;
  };
  const sizes = await waitFor(measured, { what: 'three sizes', timeoutMs: 60_000 });
  expect(sizes.every((size) => size > 0)).toBe(true);
});

test('removes exactly the previewed archives, like borg with the new archive', async () => {
  const before = await borg.list();
  const copy = borg.copy(server.workspace.folder('copy'));
  const told = keptOf((await preview({ schedule_id: schedule.id })).archives);
  const { body } = await api.post(`/api/schedule/${schedule.id}/run-now`);
  const job = await endedJob(api, body.job_id);
  await waitFor(
    async () => {
      const { body: now } = await api.get(`/api/backup/status/${job.id}`);
      expect(now.maintenance_status).not.toBe('prune_failed');
      return now.maintenance_status === 'maintenance_completed';
    },
    { what: 'the end of the prune', timeoutMs: 60_000 },
  );
  const after = await borg.list();
  const added = after.find(({ name }) => name === job.archive_name) as ListedArchive;
  await copy.create(added.name, added.start, { source });
  const expected = await copy.prunePlan(...adoptedFlags);
  expect(after.map(({ name }) => name).toSorted()).toEqual(keptOf(expected).toSorted());
  // The new archive takes one place of each rule that it fills; nothing else differs.
  const gone = before.filter(({ name }) => !after.some((left) => left.name === name));
  const unexpected = gone.filter(({ name }) => told.includes(name));
  expect(gone.length).toBeGreaterThan(30);
  expect(unexpected.length).toBeLessThanOrEqual(3);

  const list = await api.get('/api/archives/list', { repository_id: home.id, limit: 2 });
  expect(list.body.archives.at(-1)).toMatchObject({
    name: added.name,
    made_by: 'schedule',
    schedule_id: schedule.id,
    kept_by: 'daily #1',
    adopted: false,
  });
  expect(list.body.next_before).toEqual(expect.any(String));
  const names: string[] = [];
  for (let next: string | null = list.body.next_before; next; ) {
    const page = await api.get('/api/archives/list', { repository_id: home.id, limit: 2, before: next });
    names.unshift(...page.body.archives.map(({ name }: ListedArchive) => name));
    next = page.body.next_before;
  }
  expect([...names, ...list.body.archives.map(({ name }: ListedArchive) => name)]).toEqual(
    (await archivesOf(api, home.path)).map(({ name }) => name),
  );
});

test('pauses pruning when a source vanished until a user resumes it', async () => {
  const second = server.workspace.folder('second');
  writeFileSync(join(second, 'file'), 'content');
  const sources = { source_directories: [source, second] };
  expect((await api.put(`/api/repositories/${home.id}`, sources)).status).toBe(200);
  const runNow = async () => {
    const { body } = await api.post(`/api/schedule/${schedule.id}/run-now`);
    return endedJob(api, body.job_id);
  };
  await runNow();
  expect(
    (await api.put(`/api/repositories/${home.id}`, { source_directories: [source, `${second}-gone`] }))
      .status,
  ).toBe(200);
  expect((await runNow()).status).toBe('completed_with_warnings');
  const paused = (await api.get(`/api/schedule/${schedule.id}`)).body.job.retention_paused;
  expect(paused).toMatchObject([
    { repository_id: home.id, repository_name: 'home', reason: expect.stringContaining(`${second}-gone`) },
  ]);
  expect((await api.put(`/api/repositories/${home.id}`, sources)).status).toBe(200);
  const good = await runNow();
  expect(good).toMatchObject({ status: 'completed', maintenance_status: 'prune_skipped' });
  const shown = await preview({ schedule_id: schedule.id });
  expect(shown.warnings).toEqual([expect.stringContaining('resume-retention')]);
  const path = `/api/schedule/${schedule.id}/resume-retention`;
  expect((await api.post(path, {})).body).toMatchObject({ success: true, repository_ids: [home.id] });
  expect((await api.get(`/api/schedule/${schedule.id}`)).body.job.retention_paused).toEqual([]);
  expect((await runNow()) as object).not.toMatchObject({ maintenance_status: 'prune_skipped' });
});
