import { previewInput } from '@holdfast/contracts';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { retentionPauses } from '../../src/backup/maintenance/tables.js';
import { type ArchiveRow, archives } from '../../src/backup/repositories/tables.js';
import { schedules } from '../../src/backup/schedules/tables.js';
import { noProgress } from '../../src/engine/jobs/job.rules.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { caller, makeWorld, type World } from './world.js';

const day = 86_400_000;
const now = Date.parse('2026-03-01T12:10:00Z');

let world: World;
beforeEach(async () => {
  world = makeWorld();
  await world.addRepository('home');
  await world.addRepository('photos');
});

/** An archive that began so many days ago. */
const archive = (name: string, ago: number, of: Partial<ArchiveRow> = {}) =>
  world.storage.insert(archives, {
    repository_id: 1,
    tool_id: name.padEnd(64, '0'),
    name,
    start: now - ago * day,
    seen_at: 0,
    hostname: 'h',
    username: 'u',
    comment: '',
    ...of,
  });
const rows = () => world.storage.find(archives);
const preview = (input: object) => world.previewSchedule(previewInput.passthrough().parse(input));
const off = {
  prune_keep_hourly: 0,
  prune_keep_daily: 0,
  prune_keep_weekly: 0,
  prune_keep_monthly: 0,
  prune_keep_quarterly: 0,
  prune_keep_yearly: 0,
};
const invalid = (detail: RegExp) => ({ code: 'invalid', detail: expect.stringMatching(detail) });

describe('rules without run_prune_after', () => {
  const unused = /^prune_keep_daily is stored but has no effect: .*run_prune_after/;

  it('are named, in a creation and in a change', async () => {
    const { warnings, job } = await world.create({ prune_keep_daily: 3 });
    expect(warnings).toEqual([expect.stringMatching(unused)]);
    expect(job).toMatchObject({ prune_keep_daily: 3, retention: 'keeps_everything' });
    expect((await world.update(1, { prune_keep_daily: 4 })).warnings).toEqual([
      expect.stringMatching(unused),
    ]);
    const both = { prune_keep_daily: 4, prune_keep_within: '2d' };
    expect((await world.update(1, both)).warnings).toEqual([
      expect.stringMatching(/^prune_keep_daily, prune_keep_within are/),
    ]);
  });

  it('cause no warning if pruning is on, was turned off, or all are 0', async () => {
    expect((await world.create({ prune_keep_daily: 3, run_prune_after: false })).warnings).toBeUndefined();
    expect((await world.update(1, { prune_keep_daily: 0 })).warnings).toBeUndefined();
    const { warnings, job } = await world.update(1, { prune_keep_daily: 3, run_prune_after: true });
    expect(warnings).toBeUndefined();
    expect(job.retention).toBe('prunes');
    expect((await world.update(1, { prune_keep_daily: 5 })).warnings).toBeUndefined();
  });
});

describe('prune_keep_within', () => {
  it('is stored, shown and enough of a rule', async () => {
    const { job } = await world.create({ ...off, prune_keep_within: '48H', run_prune_after: true });
    expect(job).toMatchObject({ prune_keep_within: '48H', prune_keep_daily: 0 });
    await expect(world.update(1, { prune_keep_within: null })).rejects.toMatchObject(
      invalid(/prune_keep_within/),
    );
    expect((await world.duplicateSchedule(1)).job.prune_keep_within).toBe('48H');
  });

  test.each(['0d', '3 days', '-1d', '1M', '', '1234567d', 5])('does not take %j', (prune_keep_within) => {
    expect(() => world.create({ prune_keep_within })).toThrow();
  });
});

describe('a schedule without a cron expression', () => {
  it.each(['', '  '])('is refused when it is given as %j and not as null', async (cron_expression) => {
    const blank = { code: 'invalid', reason: { code: 'cron_blank' } };
    await expect(world.create({ cron_expression })).rejects.toMatchObject(blank);
    await world.create();
    await expect(world.update(1, { cron_expression })).rejects.toMatchObject(blank);
    await world.update(1, { cron_expression: null });
    // Sent back as it is shown.
    await world.update(1, { cron_expression, description: 'more' });
  });

  it('runs only manually', async () => {
    const { job } = await world.create({ cron_expression: null });
    expect(job).toMatchObject({ cron_expression: '', manual_only: true, next_run: null, enabled: true });
    expect((await world.getSchedule(1)).job.next_runs).toEqual([]);
    expect((await world.listUpcomingJobs({ hours: 8760 })).upcoming_jobs).toEqual([]);
    await world.lookAt('2027-03-01T00:00:00Z');
    expect(await world.ledger()).toEqual([]);
    await world.runScheduleNow({ username: 'alice' } as never, 1);
    expect(await world.ledger()).toHaveLength(1);
    expect((await world.listScheduleRuns(1, { limit: 5, offset: 0 })).runs).toMatchObject([
      { trigger: 'run_now' },
    ]);
  });

  it('is created by clearing the expression and planned again by setting one', async () => {
    await world.create();
    expect((await world.update(1, { cron_expression: null })).job.next_run).toBeNull();
    await world.toggleSchedule(1);
    await world.toggleSchedule(1);
    expect((await world.row(1))?.next_run).toBeNull();
    expect((await world.duplicateSchedule(1)).job.next_run).toBeNull();
    const planned = await world.update(1, { cron_expression: '0 * * * *' });
    expect(planned.job).toMatchObject({ manual_only: false, next_run: '2026-03-01T13:00:00.000Z' });
  });

  it('still needs a time zone that exists, and cron_expression in the body', async () => {
    const wrong = { cron_expression: null, timezone: 'Europe/Nowhere' };
    await expect(world.create(wrong)).rejects.toMatchObject(invalid(/time zone/));
    expect(() => world.create({ cron_expression: undefined })).toThrow();
  });
});

test('validate-cron takes the whole expression', async () => {
  const fields = { minute: '*', hour: '*', day_of_month: '*', month: '*', day_of_week: '*', timezone: 'UTC' };
  expect(await world.validateCron({ ...fields, cron_expression: ' 0 2 * * 1 ' })).toMatchObject({
    success: true,
    cron_expression: '0 2 * * 1',
    description: expect.stringContaining('Monday'),
  });
  expect(await world.validateCron({ ...fields, cron_expression: '0 2' })).toMatchObject({ success: false });
});

describe('a preview', () => {
  beforeEach(async () => {
    await world.create({ run_prune_after: true, ...off, prune_keep_daily: 2 });
    for (const ago of [1, 2, 3]) await archive(`made-${ago}`, ago, { schedule_id: 1, job_id: 7 });
    for (const ago of [4, 5]) await archive(`other-${ago}`, ago);
  });

  it('shows the next five runs', async () => {
    const runs = await preview({ cron_expression: '30 2 * * *', timezone: 'Europe/Berlin' });
    expect(runs).toMatchObject({ description: 'At 02:30', archives: null, kept_count: null, as_of: null });
    expect(runs.next_runs).toHaveLength(5);
    expect(runs.next_runs[0]).toBe('2026-03-02T01:30:00.000Z');
    await expect(preview({ cron_expression: '99 * * * *' })).rejects.toMatchObject(invalid(/cron/));
  });

  it('simulates all archives of a repository, or one schedule with its own rules', async () => {
    const all = await preview({ repository_id: 1, ...off, prune_keep_daily: 4 });
    expect(all.next_runs).toEqual([]);
    expect(all.archives?.map(({ name, rule, schedule_id }) => [name, rule, schedule_id])).toEqual([
      ['made-1', 'daily #1', 1],
      ['made-2', 'daily #2', 1],
      ['made-3', 'daily #3', 1],
      ['other-4', 'daily #4', null],
      ['other-5', 'removed', null],
    ]);
    const own = await preview({ repository_id: 1, schedule_id: 1 });
    expect(own.archives?.map(({ rule }) => rule)).toEqual(['daily #1', 'daily #2', 'removed']);
    expect(own).toMatchObject({ kept_count: 2, removed_count: 1 });
    const changed = await preview({ repository_id: 1, schedule_id: 1, prune_keep_daily: 1 });
    expect(changed.removed_count).toBe(2);
  });

  it('shows archives that no rule removes, like the prune', async () => {
    await archive('lacking', 0.5, { schedule_id: 1, job_id: 8, lacking: ['/home'] });
    await archive('tomorrow', -1, { schedule_id: 1, job_id: 9 });
    const { archives: shown } = await preview({ repository_id: 1, schedule_id: 1, prune_keep_daily: 1 });
    expect(shown?.map(({ name, rule }) => [name, rule])).toEqual([
      ['tomorrow', 'in the future'],
      ['lacking', 'daily #1'],
      ['made-1', 'daily #1'],
      ['made-2', 'removed'],
      ['made-3', 'removed'],
    ]);
  });

  it('refuses the rules that a prune refuses', async () => {
    await expect(preview({ repository_id: 1, ...off })).rejects.toMatchObject(invalid(/keep no archives/));
    await expect(preview({ repository_id: 2, schedule_id: 1 })).rejects.toMatchObject(
      invalid(/does not back up/),
    );
    for (const unknown of [{ repository_id: 99 }, { repository_id: 1, schedule_id: 99 }])
      await expect(preview(unknown)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('warns of paused pruning and of unknown fields', async () => {
    const pause = { schedule_id: 1, repository_id: 1, reason: 'why', job_id: 1, since: now };
    await world.storage.insert(retentionPauses, pause);
    expect((await preview({ repository_id: 1, schedule_id: 1, keep_daily: 3 })).warnings).toEqual([
      'keep_daily is unknown and was ignored.',
      expect.stringMatching(/paused since .*: why\..*resume-retention/),
    ]);
  });
});

describe('adoption', () => {
  const choice = { repository_id: 1, dry_run: false };

  beforeEach(async () => {
    await world.create({ run_prune_after: true, ...off, prune_keep_daily: 2 });
    await world.create({ name: 'weekly', repository_ids: [1] });
    for (const ago of [1, 2, 3]) await archive(`old-${ago}`, ago);
    await archive('by-hand', 9, { job_id: 5 });
    await archive('of-weekly', 10, { job_id: 6, schedule_id: 2 });
    await archive('of-gone', 11, { job_id: 6, schedule_id: 77 });
  });

  it('takes names, ids and archives of deleted schedules, and reports each result', async () => {
    const names = ['old-1', 'old-2'.padEnd(64, '0'), 'old-3', 'by-hand', 'of-gone', 'old-1'];
    const answer = await world.adopt(caller, 1, { ...choice, archives: names });
    expect(answer.archives.map(({ name, rule }) => [name, rule])).toEqual([
      ['old-1', 'daily #1'],
      ['old-2', 'daily #2'],
      ['old-3', 'removed'],
      ['by-hand', 'removed'],
      ['of-gone', 'removed'],
    ]);
    expect(answer.message).toBe(
      '5 archives of home now fall under the retention of nightly. The next prune removes 3 of them.',
    );
    expect((await rows()).map(({ schedule_id }) => schedule_id)).toEqual([1, 1, 1, 1, 2, 1]);
  });

  it('is undone by name, by pattern or all at once, without a trace', async () => {
    const before = await rows();
    const all = { ...choice, archives: ['old-1', 'old-2', 'old-3', 'by-hand', 'of-gone'] };
    await world.adopt(caller, 1, all);
    expect((await world.release(1, { repository_id: 1, archives: ['old-1'] })).archives).toMatchObject([
      { name: 'old-1' },
    ]);
    expect((await world.release(1, { repository_id: 1, pattern: 'old-*' })).archives).toHaveLength(2);
    expect((await world.release(1, { repository_id: 1 })).archives).toHaveLength(2);
    expect(await rows()).toEqual(before);
  });

  it('is refused for archives of another schedule; a dry run changes nothing', async () => {
    const before = await rows();
    await expect(world.adopt(caller, 1, { ...choice, pattern: '*' })).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringMatching(/schedule weekly: of-weekly\./),
    });
    await world.adopt(caller, 1, { repository_id: 1, pattern: 'old-*', dry_run: true });
    expect(await rows()).toEqual(before);
  });

  it('ends with its schedule', async () => {
    const before = await rows();
    await world.adopt(caller, 1, { ...choice, pattern: '{old-*,by-hand}' });
    await world.deleteSchedule(1);
    expect(await rows()).toEqual(before);
  });

  it('is not undone under the hands of a running prune', async () => {
    await world.adopt(caller, 1, { ...choice, pattern: 'old-*' });
    const prune = {
      ...({
        kind: 'prune',
        status: 'running',
        repository_id: 1,
        requested_by: 'n',
        requested_at: 0,
      } as const),
      repository_path: '/p',
      repository_name: 'home',
      progress: noProgress,
      parameters: { scheduleId: 1, backupJobId: 3, rules: {} },
    };
    const { id } = await world.storage.insert(jobs, prune);
    await expect(world.release(1, { repository_id: 1 })).rejects.toMatchObject({ code: 'conflict' });
    await world.storage.update(jobs, { id }, { status: 'completed' });
    expect((await world.release(1, { repository_id: 1 })).archives).toHaveLength(3);
  });

  it('warns if the schedule does not prune', async () => {
    await world.storage.update(schedules, { id: 1 }, { run_prune_after: false });
    const { archives: adopted, message } = await world.adopt(caller, 1, { ...choice, archives: ['old-3'] });
    expect(adopted).toMatchObject([{ rule: 'keeps everything' }]);
    expect(message).toContain('run_prune_after is off');
  });
});
