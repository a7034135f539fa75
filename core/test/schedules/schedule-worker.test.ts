import { StoreError } from '@holdfast/plugin-api';
import { beforeEach, describe, expect, it } from 'vitest';
import { repositories } from '../../src/backup/repositories/tables.js';
import { fireSlots } from '../../src/backup/schedules/calendar/fire-slots.js';
import { makeSlotWorker, type PlanKind } from '../../src/backup/schedules/calendar/index.js';
import { scheduleFactsOf } from '../../src/backup/schedules/calendar/schedule.rules.js';
import { plannedBackups } from '../../src/backup/schedules/fire-schedule.js';
import { type ScheduleRow, schedules, slots } from '../../src/backup/schedules/tables.js';
import { jobs } from '../../src/engine/jobs/tables.js';
import { faultyStorage } from '../fakes/faulty-storage.js';
import { manualClock } from '../fakes/manual-clock.js';
import { memoryStorage } from '../fakes/memory-storage.js';
import { said } from '../fakes/said.js';
import { silentLog } from '../fakes/silent-log.js';
import { caller, makeWorld, type World } from './world.js';

let world: World;
beforeEach(async () => {
  world = makeWorld();
  await world.addRepository('home');
  await world.addRepository('photos');
  world.runner.start();
  await world.runner.look();
});

const firstJob = async () => {
  const [job] = await world.jobs();
  if (!job) throw new Error('no job');
  return job;
};

describe('a due schedule', () => {
  it('gets one slot and one job for each repository, in order', async () => {
    await world.create({ repository_ids: [2, 1], timezone: 'Europe/Berlin', run_prune_after: true });
    await world.lookAt('2026-03-01T12:59:59Z');
    expect(await world.slots()).toEqual([]);
    await world.lookAt('2026-03-01T13:00:00.400Z');
    const planned = Date.parse('2026-03-01T13:00:00Z');
    expect(await world.slots()).toMatchObject([
      {
        planned_at: planned,
        started_at: planned + 400,
        late_ms: 400,
        outcome: 'running',
        job_ids: [1, 2],
        trigger: 'schedule',
      },
    ]);
    expect(await world.row(1)).toMatchObject({
      last_run: planned + 400,
      last_planned: planned,
      last_late_ms: 400,
      next_run: Date.parse('2026-03-01T14:00:00Z'),
    });
    const [first, second] = await world.jobs();
    expect(first).toMatchObject({ repository_id: 2, schedule_id: 1, slot_id: 1, requested_by: 'nightly' });
    expect(second).toMatchObject({ repository_id: 1, slot_id: 1 });
    expect(first && scheduleFactsOf(first)).toMatchObject({
      id: 1,
      name: 'nightly',
      timezone: 'Europe/Berlin',
      plannedAt: planned,
      severalRepositories: true,
      compact: false,
      prune: { daily: 7, quarterly: 0 },
    });
  });

  it('is not run again by another look', async () => {
    await world.create();
    await world.lookAt('2026-03-01T13:00:01Z');
    await world.lookAt('2026-03-01T13:00:02Z');
    expect(await world.ledger()).toEqual([['2026-03-01T13:00:00.000Z', 'running']]);
  });

  it('is left alone when it is disabled or deleted', async () => {
    await world.create({ enabled: false });
    await world.create({ name: 'b' });
    await world.create({ name: 'c' });
    await world.toggleSchedule(2);
    await world.deleteSchedule(3);
    await world.lookAt('2026-03-01T13:00:01Z');
    expect([await world.slots(), await world.jobs()]).toEqual([[], []]);
  });

  it('has its timer set when it is due soon', async () => {
    await world.create();
    expect(world.timers.keys).toEqual([]);
    await world.create({ name: 'soon', cron_expression: '* * * * *' });
    expect(world.timers.keys).toEqual(['schedule:2']);
    world.runner.onTimer('job:1');
    world.clock.set(Date.parse('2026-03-01T12:11:00Z'));
    world.runner.onTimer('schedule:2');
    await world.runner.look();
    expect(await world.ledger()).toEqual([['2026-03-01T12:11:00.000Z', 'running']]);
  });

  it('shares its next timer with those of the same instant', async () => {
    for (const name of ['a', 'b', 'c']) await world.create({ name, cron_expression: '* * * * *' });
    world.timers.keys.length = 0;
    await world.lookAt('2026-03-01T12:11:00Z');
    expect(await world.ledger()).toHaveLength(3);
    expect(world.timers.keys.filter(plannedBackups.timers.isOwn)).toHaveLength(1);
  });

  it('starts no run after stop', async () => {
    await world.create();
    await world.runner.stop();
    await world.lookAt('2026-03-01T13:00:01Z');
    expect(await world.slots()).toEqual([]);
  });
});

describe('a due schedule in a pause', () => {
  const skipped = ['2026-03-01T13:00:00.000Z', 'skipped'];

  it.each(['own', 'of all'])('is skipped until the exact end (pause: %s)', async (kind) => {
    const until = '2026-03-01T14:00:00Z';
    await world.create(kind === 'own' ? { pause_until: until } : {});
    if (kind === 'of all') await world.setPause(caller, until);
    await world.lookAt('2026-03-01T13:00:00Z');
    await world.lookAt('2026-03-01T13:59:59.999Z');
    expect([await world.ledger(), await world.jobs()]).toEqual([[skipped], []]);
    expect(await world.slots()).toMatchObject([
      { reason: 'Paused until 2026-03-01T14:00:00.000Z.', started_at: null },
    ]);
    expect(await world.row(1)).toMatchObject({ last_error: null, last_run: null });
    await world.lookAt('2026-03-01T14:00:00Z');
    expect(await world.ledger()).toEqual([skipped, ['2026-03-01T14:00:00.000Z', 'running']]);
    expect(await world.failures()).toEqual([]);
  });

  it('runs once after an outage over the end, for the time after it', async () => {
    await world.create({ pause_until: '2026-03-01T14:00:00Z' });
    await Promise.all([world.lookAt('2026-03-01T15:30:00Z'), world.runner.look(), world.runner.look()]);
    expect(await world.ledger()).toEqual([
      skipped,
      ['2026-03-01T14:00:00.000Z', 'missed'],
      ['2026-03-01T15:00:00.000Z', 'running'],
    ]);
    expect(await world.jobs()).toHaveLength(1);
  });

  it('can be started manually', async () => {
    await world.create();
    await world.setPause(caller, '2026-03-01T14:00:00Z');
    await world.runScheduleNow(caller, 1);
    expect(await world.jobs()).toHaveLength(1);
  });
});

describe('the end of a run', () => {
  beforeEach(async () => {
    await world.create({ repository_ids: [1, 2] });
    await world.lookAt('2026-03-01T13:00:00Z');
  });

  it('comes with the end of its last job and names the failed repository', async () => {
    const [first, second] = await world.jobs();
    if (!first || !second) throw new Error('two jobs');
    await world.endJob(first, { status: 'failed', error: said('No space left.') });
    expect(await world.ledger()).toEqual([['2026-03-01T13:00:00.000Z', 'running']]);
    await world.endJob(second);
    const reason = 'home failed: No space left.';
    expect(await world.slots()).toMatchObject([
      { outcome: 'failed', reason, completed_at: world.clock.now() },
    ]);
    expect(await world.row(1)).toMatchObject({ last_error: reason });
    expect(await world.failures()).toEqual([]);
  });

  it('clears the error of an earlier one', async () => {
    await world.storage.update(schedules, { id: 1 }, { last_error: 'old' });
    for (const job of await world.jobs()) await world.endJob(job);
    expect(await world.slots()).toMatchObject([{ outcome: 'completed', reason: null }]);
    expect(await world.row(1)).toMatchObject({ last_error: null });
  });

  it('is detected later when it was not stored with the end of the job', async () => {
    await world.storage.update(jobs, {}, { status: 'failed', error_message: 'Lost.' });
    const again = makeWorld(world.storage, world.clock);
    world.clock.advance(61_000);
    again.runner.start();
    await again.runner.stop();
    expect(await world.slots()).toMatchObject([
      { outcome: 'failed', reason: expect.stringMatching(/home failed: Lost/) },
    ]);
  });
});

describe('a run that cannot start', () => {
  it('is refused once per slot with a reason, and the next one is planned', async () => {
    await world.create();
    await world.storage.update(repositories, { id: 1 }, { mode: 'observe' });
    await world.lookAt('2026-03-01T13:00:00Z');
    await world.lookAt('2026-03-01T13:00:30Z');
    expect(await world.slots()).toMatchObject([
      { outcome: 'refused', reason: expect.stringContaining('observe mode') },
    ]);
    expect((await world.getSchedule(1)).job).toMatchObject({
      last_error: expect.stringContaining('Repository home is in observe mode'),
      last_run: '2026-03-01T13:00:00.000Z',
      next_run: '2026-03-01T14:00:00.000Z',
    });
    expect(await world.failures()).toMatchObject([
      {
        repository_id: 1,
        data: {
          repository_ids: [1],
          schedule_id: 1,
          schedule_name: 'nightly',
          error_message: expect.stringMatching(/observe mode/),
        },
      },
    ]);

    await world.storage.update(repositories, { id: 1 }, { mode: 'full' });
    await world.lookAt('2026-03-01T14:00:00Z');
    expect(await world.row(1)).toMatchObject({ last_error: null });
    expect(await world.failures()).toHaveLength(1);
  });

  it('is reported once per reason, and again after a run or half a day', async () => {
    await world.create({ cron_expression: '* * * * *' });
    const lookAt = async (mode: 'full' | 'observe', time: string) => {
      await world.storage.update(repositories, { id: 1 }, { mode });
      await world.lookAt(`2026-03-01T${time}:00Z`);
      return (await world.failures()).length;
    };
    expect(await lookAt('observe', '13:00')).toBe(1);
    expect(await lookAt('observe', '13:01')).toBe(1);
    expect(await lookAt('observe', '13:02')).toBe(1);
    expect(
      (await world.slots()).map(({ outcome }) => outcome).filter((each) => each === 'refused'),
    ).toHaveLength(3);
    expect(await lookAt('full', '13:03')).toBe(1);
    expect(await lookAt('observe', '13:04')).toBe(2);
    await world.update(1, { cron_expression: '6 14,3 * * *' });
    expect(await lookAt('observe', '14:06')).toBe(2);
    await world.lookAt('2026-03-02T03:06:00Z');
    expect(await world.failures()).toHaveLength(3);
  });

  it('starts for the remaining repositories', async () => {
    await world.create({ repository_ids: [1, 2] });
    await world.storage.update(repositories, { id: 1 }, { mode: 'observe' });
    await world.lookAt('2026-03-01T13:00:00Z');
    expect(await world.jobs()).toHaveLength(2);
  });

  it('is refused when the time zone is no longer known', async () => {
    await world.create();
    await world.storage.update(schedules, { id: 1 }, { timezone: 'Europe/Gone' });
    await world.lookAt('2026-03-01T13:00:00Z');
    await world.lookAt('2026-03-01T13:10:00Z');
    expect(await world.ledger()).toEqual([['2026-03-01T13:00:00.000Z', 'refused']]);
    expect(await world.row(1)).toMatchObject({
      next_run: null,
      last_error: expect.stringMatching(/Europe\/Gone/),
    });
    expect(await world.failures()).toHaveLength(1);
    await world.update(1, { timezone: 'Europe/Berlin' });
    expect((await world.row(1))?.next_run).toBe(Date.parse('2026-03-01T14:00:00Z'));
  });

  it('is skipped while one waits behind another one', async () => {
    await world.create();
    for (const hour of [13, 14, 15]) await world.lookAt(`2026-03-01T${hour}:00:00Z`);
    expect(await world.ledger()).toEqual([
      ['2026-03-01T13:00:00.000Z', 'running'],
      ['2026-03-01T14:00:00.000Z', 'running'],
      ['2026-03-01T15:00:00.000Z', 'skipped'],
    ]);
    expect((await world.slots())[2]?.reason).toBe('The run of 2026-03-01T14:00:00.000Z is still waiting.');
    await world.endJob(await firstJob());
    await world.lookAt('2026-03-01T16:00:00Z');
    expect((await world.ledger())[3]).toEqual(['2026-03-01T16:00:00.000Z', 'running']);
  });
});

describe('after an absence', () => {
  it('makes one run after 36 hours across a clock change and records missed slots', async () => {
    world.clock.set(Date.parse('2026-10-24T05:30:00Z'));
    await world.create({ timezone: 'Europe/Berlin' });
    await world.lookAt('2026-10-25T17:45:00Z');
    const ledger = await world.slots();
    expect(ledger).toHaveLength(36);
    expect(ledger.map(({ planned_at }) => planned_at)).toEqual(
      Array.from({ length: 36 }, (_, n) => Date.parse('2026-10-24T06:00:00Z') + n * 3_600_000),
    );
    expect(ledger.slice(0, 35).every(({ outcome, reason }) => outcome === 'missed' && reason)).toBe(true);
    expect(ledger[0]?.reason).toMatch(/merged into the run of 2026-10-25T17:00:00.000Z/);
    expect(ledger[35]).toMatchObject({ outcome: 'running', late_ms: 45 * 60_000, job_ids: [1] });
    const hour = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Berlin',
      hour: '2-digit',
      day: '2-digit',
    });
    const local = ledger.map(({ planned_at }) => hour.format(planned_at));
    expect(local.filter((text) => text === hour.format(Date.parse('2026-10-25T00:00:00Z')))).toHaveLength(2);
    expect(await world.jobs()).toHaveLength(1);
    await world.lookAt('2026-10-25T18:00:00Z');
    expect(await world.jobs()).toHaveLength(2);
  });

  it('makes no run when the schedule does not catch up', async () => {
    await world.create({ catch_up: 'none' });
    await world.lookAt('2026-03-01T14:30:00Z');
    expect(await world.slots()).toMatchObject([
      { outcome: 'missed', reason: 'Missed while Holdfast was down.' },
      { outcome: 'missed' },
    ]);
    expect(await world.jobs()).toEqual([]);
    await world.lookAt('2026-03-01T15:00:01Z');
    expect(await world.jobs()).toHaveLength(1);
  });
});

describe('several instances on one storage', () => {
  it('run each slot once, also with clocks that differ', async () => {
    const others = [5_000, -5_000].map((skew) => {
      const clock = { ...manualClock(), now: () => world.clock.now() + skew };
      return makeWorld(world.storage, clock);
    });
    for (const { runner } of others) runner.start();
    const instances = [world, ...others];
    for (let n = 0; n < 30; n++) {
      await world.create({ name: `s${n}`, cron_expression: '* * * * *', repository_ids: [1 + (n % 2)] });
    }
    for (let second = 0; second <= 180; second += 3) {
      world.clock.set(Date.parse('2026-03-01T12:10:30Z') + second * 1_000);
      await Promise.all(instances.map(({ runner }) => runner.look()));
      for (const job of await world.jobs()) if (job.status === 'pending') await world.endJob(job);
    }
    const ledger = await world.slots();
    expect(ledger).toHaveLength(90);
    expect(ledger.every(({ outcome, job_ids }) => outcome === 'completed' && job_ids.length === 1)).toBe(
      true,
    );
    expect(await world.jobs()).toHaveLength(90);
    await Promise.all(others.map(({ runner }) => runner.stop()));
  });

  it('runs a slot only on the instance that advanced the schedule, despite clock skew', async () => {
    await world.create();
    const ahead = manualClock(Date.parse('2026-03-01T14:00:01Z'));
    const other = makeWorld(world.storage, ahead);
    world.clock.set(Date.parse('2026-03-01T13:00:01Z'));
    const seen = await world.row(1);
    if (!seen) throw new Error('no schedule');
    await Promise.all(
      [world, other].map(({ dependencies }) => fireSlots(dependencies, plannedBackups, [seen])),
    );
    expect(await world.jobs()).toHaveLength(1);
    expect(await world.ledger()).toEqual([['2026-03-01T13:00:00.000Z', 'running']]);
  });

  it('skip a slot that a fast clock ran before the cron expression changed', async () => {
    await world.create();
    await world.storage.insert(slots, {
      schedule_id: 1,
      planned_at: Date.parse('2026-03-01T13:00:00Z'),
      trigger: 'schedule',
      outcome: 'completed',
      job_ids: [],
    });
    await world.lookAt('2026-03-01T13:00:00Z');
    expect(await world.jobs()).toEqual([]);
    expect((await world.row(1))?.next_run).toBe(Date.parse('2026-03-01T14:00:00Z'));
  });
});

describe('a run that was interrupted because the service was stopped', () => {
  const interrupted = {
    status: 'failed' as const,
    error: said('Interrupted.'),
    outcome: { interrupted: true },
  };

  it('is made once more, in the same slot', async () => {
    await world.create({ repository_ids: [1, 2] });
    await world.lookAt('2026-03-01T13:00:00Z');
    await world.endJob(await firstJob(), interrupted);
    const [, second, again] = await world.jobs();
    expect(again).toMatchObject({ status: 'pending', repository_id: 1, schedule_id: 1, slot_id: 1 });
    expect(again?.parameters).toMatchObject({ rerunOf: 1, schedule: { name: 'nightly' } });
    expect(await world.slots()).toMatchObject([{ outcome: 'running', job_ids: [1, 2, 3] }]);
    if (!second || !again) throw new Error('three jobs');
    await world.endJob(second);
    await world.endJob(again);
    expect(await world.slots()).toMatchObject([{ outcome: 'completed', reason: null }]);
  });

  it('is not made a third time', async () => {
    await world.create();
    await world.lookAt('2026-03-01T13:00:00Z');
    await world.endJob(await firstJob(), interrupted);
    const again = (await world.jobs())[1];
    if (!again) throw new Error('a second job');
    await world.endJob(again, interrupted);
    expect(await world.jobs()).toHaveLength(2);
    expect(await world.slots()).toMatchObject([{ outcome: 'failed', reason: 'home failed: Interrupted.' }]);
  });

  it('stays failed without catch-up, and for a manual backup', async () => {
    await world.create({ catch_up: 'none' });
    await world.lookAt('2026-03-01T13:00:00Z');
    await world.endJob(await firstJob(), interrupted);
    expect(await world.slots()).toMatchObject([{ outcome: 'failed' }]);
    await world.endJob(await world.addJob(1), interrupted);
    expect(await world.jobs()).toHaveLength(2);
  });
});

describe('when the storage fails', () => {
  it('makes the run when the storage is back', async () => {
    const storage = faultyStorage(memoryStorage());
    world = makeWorld(storage);
    await world.addRepository('home');
    world.runner.start();
    await world.create();
    storage.become('down');
    await world.lookAt('2026-03-01T13:00:01Z');
    await world.lookAt('2026-03-01T13:00:02Z');
    expect(world.log.entries.filter(({ level }) => level === 'warn')).toHaveLength(1);
    storage.become('well');
    await world.lookAt('2026-03-01T13:00:03Z');
    expect(await world.slots()).toMatchObject([{ outcome: 'running', late_ms: 3_000 }]);
  });

  /** As backups, but the first schedule can't be written. `goes`: the transactions, and whose runs they tried. */
  const withOneBad = () => {
    const goes: number[][] = [];
    const kind: PlanKind<ScheduleRow> = {
      ...plannedBackups,
      async run(needs, session, slot) {
        goes.at(-1)?.push(slot.row.id);
        if (slot.row.id === 1) throw new StoreError('invalid', 'no');
        return plannedBackups.run(needs, session, slot);
      },
    };
    const { storage } = world;
    const counted: typeof storage = {
      ...storage,
      transaction: (work) => {
        goes.push([]);
        return storage.transaction(work);
      },
    };
    const log = silentLog();
    const needs = { ...world.dependencies, storage: counted, log };
    const engine = makeSlotWorker(needs, [kind], { scanEvery: 2 ** 31 - 1, tendEvery: 2 ** 31 - 1 });
    const errors = () => log.entries.filter(({ level }) => level === 'error').length;
    return { engine, goes, errors };
  };

  it('runs the other schedules when one cannot be stored, and logs it once', async () => {
    await world.create();
    await world.create({ name: 'b' });
    const { engine, errors } = withOneBad();
    world.clock.set(Date.parse('2026-03-01T13:00:00Z'));
    engine.start();
    await engine.look();
    await engine.look();
    await engine.stop();
    expect((await world.slots()).map(({ schedule_id }) => schedule_id)).toEqual([2]);
    expect(errors()).toBe(1);
  });

  it('writes many due schedules in few transactions despite one bad schedule', async () => {
    for (let n = 0; n < 60; n += 1) await world.create({ name: `s${n}` });
    await world.runner.stop();
    const { engine, goes, errors } = withOneBad();
    world.clock.set(Date.parse('2026-03-01T13:00:00Z'));
    engine.start();
    await engine.look();
    await engine.stop();
    expect(await world.slots()).toHaveLength(59);
    // Three groups, each of the one that failed alone, and the bad one again.
    expect(goes.length).toBeLessThanOrEqual(3 + 25 + 1);
    expect(errors()).toBe(1);
  });

  it('runs a hundred due schedules once each, even with two instances', async () => {
    for (let n = 0; n < 100; n += 1) await world.create({ name: `s${n}` });
    const other = makeWorld(world.storage, world.clock);
    world.clock.set(Date.parse('2026-03-01T13:00:00Z'));
    const seen = await world.storage.find(schedules);
    await Promise.all(
      [world, other].map(({ dependencies }) => fireSlots(dependencies, plannedBackups, seen)),
    );
    const slots = await world.slots();
    expect(new Set(slots.map(({ schedule_id }) => schedule_id)).size).toBe(100);
    expect(slots).toHaveLength(100);
    expect(await world.jobs()).toHaveLength(100);
  });

  it('creates all jobs of a manual run or none', async () => {
    await world.create({ repository_ids: [1, 2] });
    const { insert } = world.dependencies.jobs;
    let inserted = 0;
    world.dependencies.jobs.insert = async (job, session) => {
      inserted += 1;
      if (inserted === 2) throw new StoreError('unavailable', 'gone');
      return insert(job, session);
    };
    await expect(world.runScheduleNow(caller, 1)).rejects.toThrow('gone');
    expect([await world.jobs(), await world.slots()]).toEqual([[], []]);
  });
});
