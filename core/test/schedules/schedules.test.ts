import { beforeEach, describe, expect, it, test } from 'vitest';
import { repositories } from '../../src/backup/repositories/tables.js';
import { schedules, slots } from '../../src/backup/schedules/tables.js';
import type { Caller } from '../../src/foundation/kernel/index.js';
import { caller, makeWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = makeWorld();
  await world.addRepository('home');
  await world.addRepository('photos');
  await world.addRepository('mirror', 'observe');
});

const invalid = (detail: RegExp) => ({ code: 'invalid', detail: expect.stringMatching(detail) });

describe('creating', () => {
  it('stores the default values and returns the next run', async () => {
    const { job, message, warnings } = await world.create({ name: '  nightly  ' });
    expect(message).toBe('Schedule nightly was created.');
    expect(warnings).toBeUndefined();
    expect(job).toEqual({
      id: 1,
      name: 'nightly',
      cron_expression: '0 * * * *',
      manual_only: false,
      timezone: 'UTC',
      catch_up: 'one',
      repository: '/backups/home',
      repository_id: 1,
      repository_ids: [1],
      enabled: true,
      pause_until: null,
      when: null,
      retry: null,
      last_run: null,
      next_run: '2026-03-01T13:00:00.000Z',
      created_at: '2026-03-01T12:10:00.000Z',
      updated_at: '2026-03-01T12:10:00.000Z',
      description: null,
      tags: [],
      archive_name_template: null,
      run_repository_scripts: false,
      pre_backup_script_id: null,
      post_backup_script_id: null,
      pre_backup_script_parameters: null,
      post_backup_script_parameters: null,
      run_prune_after: false,
      run_compact_after: false,
      prune_keep_hourly: 0,
      prune_keep_daily: 7,
      prune_keep_weekly: 4,
      prune_keep_monthly: 6,
      prune_keep_quarterly: 0,
      prune_keep_yearly: 1,
      prune_keep_within: null,
      retention: 'keeps_everything',
      retention_paused: [],
      last_prune: null,
      last_compact: null,
      last_error: null,
      last_error_code: null,
      last_error_params: {},
    });
  });

  it('names repositories whose scripts do not run with it', async () => {
    const made = await world.create({ name: 'plain' });
    await world.storage.update(repositories, { id: 1 }, { pre_backup_script: 'make-a-snapshot' });
    const { warnings } = await world.create({ name: 'without' });
    expect([made.warnings, warnings]).toEqual([
      undefined,
      [expect.stringContaining('scripts of home do not run')],
    ]);
    expect((await world.create({ name: 'with', run_repository_scripts: true })).warnings).toBeUndefined();
  });

  it('keeps the order of the repositories, each once', async () => {
    const { job } = await world.create({ repository_ids: [2, 1, 2, 1] });
    expect(job).toMatchObject({ repository_ids: [2, 1], repository_id: null, repository: null });
  });

  it('takes a single repository by id or by path', async () => {
    const none = { repository_ids: undefined };
    const byId = await world.create({ ...none, repository_id: 2 });
    const byPath = await world.create({ ...none, name: 'b', repository: '/backups/photos/' });
    expect([byId.job.repository_ids, byPath.job.repository_ids]).toEqual([[2], [2]]);
  });

  it('reads the expression in the zone of the schedule', async () => {
    const { job } = await world.create({ cron_expression: ' 30  2 * * * ', timezone: 'Europe/Berlin' });
    expect(job).toMatchObject({ cron_expression: '30 2 * * *', next_run: '2026-03-02T01:30:00.000Z' });
  });

  it('names the fields that it ignored', async () => {
    const { warnings } = await world.create({ colour: 'red', id: 7, repository_id: 2 });
    expect(warnings).toEqual([
      'colour is unknown and was ignored.',
      'id was ignored: it is read-only.',
      'repository_id 2 was ignored: repository_ids takes precedence.',
    ]);
  });

  test.each([
    [{ cron_expression: '0 0 31 2 *' }, /never fires/],
    [{ cron_expression: '* * * *' }, /five fields/],
    [{ timezone: 'Europe/Nowhere' }, /Unknown time zone Europe\/Nowhere/],
    [{ repository_ids: [1, 99] }, /no repository 99/],
    [{ repository_ids: [1, 3] }, /observe mode.*mirror/],
    [{ repository_ids: [] }, /at least one repository/],
    [{ repository_ids: undefined }, /at least one repository/],
    [{ repository_ids: null, repository_id: null }, /at least one repository/],
    [{ repository_ids: undefined, repository_id: 99 }, /no repository 99/],
    [{ repository_ids: undefined, repository_id: 3 }, /mirror/],
    [{ repository_ids: undefined, repository: '/backups/nowhere' }, /no repository with this path/],
    [{ pre_backup_script_id: 1 }, /pre_backup_script_id: there is no script 1/],
    [{ post_backup_script_id: 5 }, /no script 5/],
    [{ archive_name_template: 'a-{what}' }, /\{what\}/],
    [
      {
        run_prune_after: true,
        prune_keep_daily: 0,
        prune_keep_weekly: 0,
        prune_keep_monthly: 0,
        prune_keep_yearly: 0,
      },
      /at least one of the prune_keep_/,
    ],
  ])('refuses %j', async (input, detail) => {
    await expect(world.create(input)).rejects.toMatchObject(invalid(detail));
    expect(await world.storage.find(schedules)).toEqual([]);
  });

  test.each([
    { name: ' ' },
    { name: 'x'.repeat(256) },
    { name: null },
    { enabled: null },
    { prune_keep_daily: -2 },
    { prune_keep_daily: 1.5 },
    { prune_keep_hourly: null },
    { catch_up: 'all' },
    { repository_ids: ['1'] },
    { repository_ids: [0] },
    { cron_expression: 5 },
  ])('does not take %j', async (input) => {
    expect(() => world.create(input)).toThrow(/ZodError|\[/);
  });

  it('refuses a taken name', async () => {
    await world.create();
    await expect(world.create({ name: ' nightly' })).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('changing', () => {
  beforeEach(() => world.create({ repository_ids: [1, 2], description: 'all' }));

  it('keeps values that are not given', async () => {
    const { job } = await world.update(1, { prune_keep_daily: 3 });
    expect(job).toMatchObject({
      prune_keep_daily: 3,
      name: 'nightly',
      description: 'all',
      repository_ids: [1, 2],
      next_run: '2026-03-01T13:00:00.000Z',
    });
  });

  it('clears nullable values', async () => {
    expect((await world.update(1, { description: null, repository_id: null })).job).toMatchObject({
      description: null,
      repository_ids: [1, 2],
    });
  });

  it('accepts its response without a warning about repositories', async () => {
    const { job } = await world.getSchedule(1);
    const { job: after } = await world.update(1, job);
    expect(after).toMatchObject({ repository_ids: [1, 2], name: 'nightly' });
  });

  it('replaces the repositories by any selector', async () => {
    expect((await world.update(1, { repository_ids: [2] })).job.repository_ids).toEqual([2]);
    expect((await world.update(1, { repository_id: 1 })).job.repository_ids).toEqual([1]);
    expect((await world.update(1, { repository: '/backups/photos' })).job.repository_ids).toEqual([2]);
    await expect(world.update(1, { repository_id: null })).rejects.toMatchObject(invalid(/at least one/));
    await expect(world.update(1, { repository_ids: [] })).rejects.toMatchObject(invalid(/at least one/));
    expect(await world.links(1)).toEqual([2]);
  });

  it('moves the next run with the expression and with the zone', async () => {
    expect((await world.update(1, { cron_expression: '15 0 * * *' })).job.next_run).toBe(
      '2026-03-02T00:15:00.000Z',
    );
    expect((await world.update(1, { timezone: 'Europe/Berlin' })).job.next_run).toBe(
      '2026-03-01T23:15:00.000Z',
    );
  });

  it('checks retention together with the stored values', async () => {
    const zero = { prune_keep_daily: 0, prune_keep_weekly: 0, prune_keep_monthly: 0, prune_keep_yearly: 0 };
    await world.update(1, zero);
    await expect(world.update(1, { run_prune_after: true })).rejects.toMatchObject(invalid(/prune_keep_/));
    await world.update(1, { run_prune_after: true, prune_keep_quarterly: 1 });
  });

  it('has to be confirmed in a browser when fewer archives would be kept', async () => {
    const until = (confirmedUntil: number) => ({ ...caller, confirmedUntil });
    const refused = { code: 'forbidden', reason: { code: 'confirmation_required' } };
    await world.update(1, { prune_keep_hourly: 3, prune_keep_quarterly: 2 });
    const before = (await world.getSchedule(1)).job;
    for (const rule of ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const) {
      const field = `prune_keep_${rule}` as const;
      const fewer = { [field]: before[field] - 1, name: 'changed' };
      await expect(world.update(1, fewer, until(0))).rejects.toMatchObject(refused);
      await world.update(1, { [field]: before[field] + 1 }, until(0));
    }
    await expect(world.update(1, { run_prune_after: true }, until(0))).rejects.toMatchObject(refused);
    expect((await world.getSchedule(1)).job).toMatchObject({ name: before.name, run_prune_after: false });
    const now = world.clock.now();
    await expect(world.update(1, { run_prune_after: true }, until(now))).rejects.toMatchObject(refused);
    await world.update(1, { run_prune_after: true }, until(now + 1));
    // More is kept, or the rest is changed.
    await world.update(1, { run_prune_after: true, name: 'again', prune_keep_daily: 99 }, until(0));
    await world.update(1, { run_prune_after: false }, until(0));
  });

  it('lets two changes at once both have their say', async () => {
    await Promise.all([
      world.update(1, { description: 'a', repository_ids: [2, 1] }),
      world.update(1, { prune_keep_daily: 9 }),
      world.update(1, { name: 'other' }),
    ]);
    expect(await world.row(1)).toMatchObject({ description: 'a', prune_keep_daily: 9, name: 'other' });
    expect(await world.links(1)).toEqual([2, 1]);
  });

  it('keeps a name that it has, and refuses one of another', async () => {
    await world.create({ name: 'weekly' });
    await world.update(1, { name: 'nightly' });
    await expect(world.update(1, { name: 'weekly' })).rejects.toMatchObject({ code: 'conflict' });
  });

  test.each(['update', 'toggleSchedule', 'deleteSchedule', 'duplicateSchedule', 'getSchedule'] as const)(
    '%s of an unknown one is not found',
    async (act) => {
      await expect(world[act](99, {} as Caller)).rejects.toMatchObject({ code: 'not_found' });
    },
  );
});

describe('switching on and off', () => {
  beforeEach(() => world.create());

  it('moves the next run into the future and records skipped runs as disabled', async () => {
    expect(await world.toggleSchedule(1)).toMatchObject({
      enabled: false,
      message: expect.stringMatching(/disabled/),
    });
    world.clock.set(Date.parse('2026-03-01T15:30:00Z'));
    expect((await world.getSchedule(1)).job.next_run).toBe('2026-03-01T16:00:00.000Z');
    expect(await world.toggleSchedule(1)).toMatchObject({ enabled: true });
    expect((await world.row(1))?.next_run).toBe(Date.parse('2026-03-01T16:00:00Z'));
    expect((await world.listScheduleRuns(1, { limit: 10, offset: 0 })).runs).toEqual([
      expect.objectContaining({
        planned_at: '2026-03-01T13:00:00.000Z',
        outcome: 'disabled',
        count: 3,
        reason: expect.stringMatching(/^3 scheduled runs .* The schedule was disabled\.$/),
      }),
    ]);
  });

  it('records skipped runs when an update enables it', async () => {
    await world.update(1, { enabled: false });
    world.clock.set(Date.parse('2026-03-01T13:30:00Z'));
    await world.update(1, { enabled: true });
    expect((await world.row(1))?.next_run).toBe(Date.parse('2026-03-01T14:00:00Z'));
    expect(await world.ledger()).toEqual([['2026-03-01T13:00:00.000Z', 'disabled']]);
  });
});

describe('the deletion of', () => {
  it('keeps the jobs of a deleted schedule', async () => {
    await world.create();
    await world.runScheduleNow(caller, 1);
    await world.deleteSchedule(1);
    expect(await world.jobs()).toMatchObject([{ schedule_id: null, slot_id: null, status: 'pending' }]);
    expect([await world.slots(), await world.links(1)]).toEqual([[], []]);
    await expect(world.listScheduleRuns(1, { limit: 1, offset: 0 })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('removes a deleted repository from schedules and disables those without any', async () => {
    await world.create({ repository_ids: [1, 2] });
    await world.create({ name: 'home only' });
    await world.deleteRepository(1);
    expect(await world.links(1)).toEqual([2]);
    expect(await world.row(1)).toMatchObject({ enabled: true, last_error: null });
    expect(await world.row(2)).toMatchObject({
      enabled: false,
      last_error: expect.stringMatching(/last repository, home, was deleted/),
    });
    expect(await world.failures()).toMatchObject([
      { data: { schedule_name: 'home only', repository_name: 'home' } },
    ]);
    await expect(world.toggleSchedule(2)).rejects.toMatchObject(invalid(/at least one repository/));
    await world.update(2, { repository_ids: [2], enabled: true });
    expect(await world.row(2)).toMatchObject({ enabled: true, last_error: null });
  });
});

describe('run-now', () => {
  it('makes all jobs at once, in order, and leaves the next run', async () => {
    await world.create({ repository_ids: [2, 1], enabled: false });
    expect(await world.runScheduleNow(caller, 1)).toEqual({
      success: true,
      job_id: 1,
      job_ids: [1, 2],
      status: 'pending',
      message: 'Schedule nightly was started: 2 backups queued.',
    });
    expect(await world.jobs()).toMatchObject([
      { repository_id: 2, schedule_id: 1, slot_id: 1, requested_by: 'alice', status: 'pending' },
      { repository_id: 1, schedule_id: 1, slot_id: 1 },
    ]);
    expect(await world.row(1)).toMatchObject({
      last_run: world.clock.now(),
      next_run: Date.parse('2026-03-01T13:00:00Z'),
    });
    expect(await world.slots()).toMatchObject([{ trigger: 'run_now', outcome: 'running', job_ids: [1, 2] }]);
  });

  it('creates two slots for two calls in the same millisecond', async () => {
    await world.create();
    await Promise.all([world.runScheduleNow(caller, 1), world.runScheduleNow(caller, 1)]);
    expect(await world.slots()).toHaveLength(2);
  });

  it('refuses a schedule without repositories and creates no job', async () => {
    await world.create();
    await world.deleteRepository(1);
    await expect(world.runScheduleNow(caller, 1)).rejects.toMatchObject(invalid(/has no repositories/));
    expect([await world.jobs(), await world.slots()]).toEqual([[], []]);
    expect((await world.failures()).at(-1)).toMatchObject({
      repository_id: null,
      data: { error_message: expect.stringMatching(/has no repositories/) },
    });
  });
});

describe('duplicating', () => {
  it('copies all but the history, disabled, under a free name', async () => {
    await world.create({ repository_ids: [2, 1], prune_keep_daily: 3, timezone: 'Europe/Berlin' });
    await world.runScheduleNow(caller, 1);
    const names = [];
    for (let n = 0; n < 3; n++) names.push((await world.duplicateSchedule(1)).job.name);
    expect(names).toEqual(['Copy of nightly', 'Copy of nightly (2)', 'Copy of nightly (3)']);
    expect((await world.getSchedule(2)).job).toMatchObject({
      enabled: false,
      repository_ids: [2, 1],
      prune_keep_daily: 3,
      timezone: 'Europe/Berlin',
      last_run: null,
      next_run: '2026-03-01T13:00:00.000Z',
    });
  });
});

describe('a pause', () => {
  const until = '2026-03-03T01:00:00.000Z';

  it('moves the next runs of its schedule until it ends', async () => {
    await world.create({ cron_expression: '0 2 * * *', pause_until: '2026-03-03T03:00:00+02:00' });
    const { job } = await world.getSchedule(1);
    expect(job).toMatchObject({ pause_until: until, next_run: '2026-03-03T02:00:00.000Z' });
    expect(job.next_runs[0]).toBe('2026-03-03T02:00:00.000Z');
    expect((await world.listUpcomingJobs({ hours: 37 })).upcoming_jobs).toEqual([]);
    expect((await world.listUpcomingJobs({ hours: 38 })).upcoming_jobs).toMatchObject([
      { next_run: '2026-03-03T02:00:00.000Z' },
    ]);
    world.clock.set(Date.parse(until));
    expect((await world.getSchedule(1)).job.pause_until).toBeNull();
    expect((await world.listSchedules()).jobs).toMatchObject([{ pause_until: null }]);
  });

  it('moves the next runs of all schedules until it ends or is lifted', async () => {
    await world.create({ cron_expression: '0 2 * * *' });
    expect(await world.getPause()).toEqual({ success: true, pause_until: null });
    await world.setPause(caller, until);
    expect(await world.getPause()).toMatchObject({ pause_until: until });
    expect((await world.listSchedules()).jobs).toMatchObject([{ next_run: '2026-03-03T02:00:00.000Z' }]);
    await world.setPause(caller, null);
    expect((await world.listSchedules()).jobs).toMatchObject([{ next_run: '2026-03-02T02:00:00.000Z' }]);
    await world.setPause(caller, until);
    world.clock.set(Date.parse(until));
    expect(await world.getPause()).toMatchObject({ pause_until: null });
  });

  it('rejects ends in the past or years ahead, but accepts the stored one', async () => {
    await world.create({ pause_until: until });
    const past = { reason: { code: 'pause_in_past' } };
    await expect(world.update(1, { pause_until: '2026-03-01T12:10:00Z' })).rejects.toMatchObject(past);
    await expect(world.setPause(caller, '2026-03-01T12:10:00Z')).rejects.toMatchObject(past);
    await expect(world.setPause(caller, '2027-03-03T00:00:00Z')).rejects.toMatchObject({
      reason: { code: 'pause_too_long' },
    });
    world.clock.set(Date.parse(until) + 1);
    await world.update(1, { pause_until: until });
  });

  it('has to be confirmed in a browser when it becomes longer', async () => {
    const browser = { ...caller, confirmedUntil: 0 };
    await world.create({ pause_until: until });
    const refused = { reason: { code: 'confirmation_required' } };
    const later = '2026-03-04T00:00:00Z';
    await expect(world.update(1, { pause_until: later }, browser)).rejects.toMatchObject(refused);
    await expect(world.setPause(browser, later)).rejects.toMatchObject(refused);
    await world.update(1, { pause_until: null }, browser);
    await world.setPause(browser, null);
  });

  it('is not copied', async () => {
    await world.create({ pause_until: until });
    expect((await world.duplicateSchedule(1)).job.pause_until).toBeNull();
  });
});

describe('looking ahead', () => {
  it('returns the next five runs of one schedule', async () => {
    await world.create({ cron_expression: '0 2 * * *' });
    const { job } = await world.getSchedule(1);
    expect(job.next_runs).toHaveLength(5);
    expect(job.next_runs[0]).toBe('2026-03-02T02:00:00.000Z');
  });

  it('lists every run of the enabled ones within the hours, soonest first', async () => {
    await world.create({ cron_expression: '30 * * * *', repository_ids: [1, 2] });
    await world.create({ name: 'b', cron_expression: '0 13 * * *' });
    await world.create({ name: 'off', enabled: false });
    const { upcoming_jobs, hours_ahead } = await world.listUpcomingJobs({ hours: 2 });
    expect(hours_ahead).toBe(2);
    expect(upcoming_jobs.map(({ name, next_run }) => [name, next_run])).toEqual([
      ['nightly', '2026-03-01T12:30:00.000Z'],
      ['b', '2026-03-01T13:00:00.000Z'],
      ['nightly', '2026-03-01T13:30:00.000Z'],
    ]);
    expect(upcoming_jobs[0]).toMatchObject({
      repository: 'home, photos',
      repositories: [
        { id: 1, name: 'home' },
        { id: 2, name: 'photos' },
      ],
    });
  });

  it('stops at a thousand', async () => {
    await world.create({ cron_expression: '* * * * *' });
    expect((await world.listUpcomingJobs({ hours: 8760 })).upcoming_jobs).toHaveLength(1_000);
  });
});

describe('cron', () => {
  const any = { minute: '*', hour: '*', day_of_month: '*', month: '*', day_of_week: '*', timezone: 'UTC' };

  it('returns ten runs and a description', async () => {
    const answer = await world.validateCron({ ...any, minute: '0', hour: '2' });
    expect(answer).toMatchObject({ success: true, cron_expression: '0 2 * * *', description: 'At 02:00' });
    expect(answer.success && answer.next_runs).toHaveLength(10);
  });

  it('returns the error', async () => {
    expect(await world.validateCron({ ...any, minute: '60' })).toEqual({
      success: false,
      cron_expression: '60 * * * *',
      error: expect.stringMatching(/60/),
      error_code: 'cron_expression_wrong',
      error_params: { problem: 'Invalid value for minute: 60' },
    });
    expect(await world.validateCron({ ...any, minute: '0 0' })).toMatchObject({ success: false });
    expect(await world.validateCron({ ...any, timezone: 'x' })).toMatchObject({ success: false });
  });

  it('has presets that it can read itself', async () => {
    const { presets } = world.listCronPresets();
    expect(presets).toHaveLength(11);
    expect(presets[0]).toEqual({
      name: 'Every Minute',
      expression: '* * * * *',
      description: 'Every minute',
    });
    for (const { expression } of presets) {
      const [minute = '', hour = '', day_of_month = '', month = '', day_of_week = ''] = expression.split(' ');
      const fields = { minute, hour, day_of_month, month, day_of_week, timezone: 'UTC' };
      expect(await world.validateCron(fields)).toMatchObject({ success: true });
    }
  });
});

test('returns run history in pages, newest first', async () => {
  await world.create();
  for (let n = 0; n < 5; n++) {
    await world.storage.insert(slots, {
      schedule_id: 1,
      planned_at: n,
      trigger: 'schedule',
      outcome: 'missed',
      job_ids: [],
    });
  }
  const { runs, total } = await world.listScheduleRuns(1, { limit: 2, offset: 1 });
  expect(total).toBe(5);
  expect(runs.map(({ planned_at }) => Date.parse(planned_at))).toEqual([3, 2]);
});

describe('schedule events', () => {
  it('report each change of a schedule with its current or former repositories', async () => {
    const [first, second] = [await world.addRepository('first'), await world.addRepository('second')];
    const { job } = await world.create({ repository_ids: [first.id] });
    await world.update(job.id, { name: 'weekly', repository_ids: [second.id] });
    await world.toggleSchedule(job.id);
    const { job: copy } = await world.duplicateSchedule(job.id);
    await world.deleteSchedule(copy.id);
    await world.deleteRepository(second.id);
    const weekly = { schedule_id: job.id, name: 'weekly', change: 'updated' };
    const copied = { schedule_id: copy.id, name: copy.name, enabled: false, repository_ids: [second.id] };
    expect(await world.told()).toEqual([
      { schedule_id: job.id, name: 'nightly', change: 'created', enabled: true, repository_ids: [first.id] },
      { ...weekly, enabled: true, repository_ids: [first.id, second.id] },
      { ...weekly, enabled: false, repository_ids: [second.id] },
      { ...copied, change: 'created' },
      { ...copied, change: 'deleted' },
      { ...weekly, enabled: false, repository_ids: [second.id] },
    ]);
  });
});
