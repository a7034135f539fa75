import type { StorageSession } from '@holdfast/plugin-api';
import type { TimedWorker } from '../calendar/index.js';
import { cronRule, makeSlotWorker, type SlotTimings, summary, timerHorizon } from '../calendar/index.js';
import { reasonColumns, say } from '../kernel/index.js';
import { fireSchedule, fireSchedules } from './fire-schedule.js';
import type { SchedulesNeeds } from './needs.js';
import { isScheduleTimer, setScheduleTimer } from './schedule-timer.js';
import { closeEndedSlots } from './settle-slot.js';
import { type ScheduleRow, schedules, slots } from './tables.js';

export type ScheduleWorker = TimedWorker;

type Needs = Pick<SchedulesNeeds, 'storage' | 'jobs' | 'events' | 'clock' | 'timers' | 'log'>;

/** Runs schedules that are due. Safe with any number of instances on the same storage. */
export function makeScheduleWorker(needs: Needs, timings: Partial<SlotTimings> = {}): ScheduleWorker {
  const { storage, clock, log } = needs;
  const [closeEnded, replan] = [closeEndedSlots(needs), planAfterSetBack(needs)];
  const engine = makeSlotWorker({
    ...{ clock, log, timings },
    find: (query) => storage.find(schedules, query),
    fire: fireSchedule(needs),
    fireTogether: fireSchedules(needs),
    arm: (schedule) => setScheduleTimer(needs, schedule),
    horizon: timerHorizon,
    async tend() {
      await closeEnded();
      await replan();
    },
  });
  return {
    ...engine,
    onTimer(key) {
      if (isScheduleTimer(key)) void engine.look();
    },
  };
}

type PlanAfterSetBackNeeds = Pick<SchedulesNeeds, 'storage' | 'clock' | 'log'>;

/** Smaller jumps of the wall clock are normal and ignored. Milliseconds. */
const noticed = 2_000;
/**
 * Limit for slots read between now and the next run. A clock that was years ahead leaves more, but the first
 * of them are enough.
 */
const maxSlots = 10_000;

/**
 * After a clock that was ahead is corrected, schedules may be planned far in the future. Replans them for the
 * first instant without a slot, so that what already ran does not run again. Checks at startup and whenever
 * the clock was set back.
 */
function planAfterSetBack(needs: PlanAfterSetBackNeeds): () => Promise<void> {
  let offset = Number.POSITIVE_INFINITY;
  return async () => {
    const now = needs.clock.now();
    const present = now - performance.now();
    if (present > offset - noticed) return;
    const later = await needs.storage.find(schedules, { where: { enabled: true, next_run: { gt: now } } });
    for (const schedule of later) await replan(needs, schedule, now);
    offset = present;
  };
}

async function replan(
  { storage, log }: PlanAfterSetBackNeeds,
  schedule: ScheduleRow,
  now: number,
): Promise<void> {
  const { id, next_run, cron_expression, timezone } = schedule;
  const rule = cronRule(schedule);
  const first = rule?.next(now);
  if (!rule || !first || next_run === null || first >= next_run) return;
  const where = { schedule_id: id, planned_at: { gte: first, lte: next_run } };
  const had = await storage.find(slots, { where, order: [['planned_at', 'asc']], limit: maxSlots });
  const known = new Set(had.map(({ planned_at }) => planned_at));
  let free = first;
  while (free < next_run && known.has(free)) free = rule.next(free);
  if (free >= next_run) return;
  const seen = { id, cron_expression, timezone, enabled: true, next_run };
  if ((await storage.update(schedules, seen, { next_run: free })) === 0) return;
  log.warn('a schedule was planned by a clock that was ahead; replanning it', {
    schedule: id,
    was: new Date(next_run).toISOString(),
    now: new Date(free).toISOString(),
  });
}

/**
 * Call before a user's change moves `next_run`. Records planned instants that passed without a run as one row
 * of the ledger.
 */
export async function recordPassed(session: StorageSession, before: ScheduleRow, now: number): Promise<void> {
  const rule = cronRule(before);
  if (!rule || before.next_run === null || before.next_run > now) return;
  const known = { schedule_id: before.id, planned_at: before.next_run };
  const [slot] = await session.find(slots, { where: known, limit: 1 });
  if (slot) return;
  const reason = before.enabled
    ? say('run_before_change_missed')`The schedule was changed before this run began.`
    : say('run_while_disabled')`The schedule was disabled.`;
  const passed = summary(rule, { from: before.next_run, before: now + 1, reason });
  await session.insert(slots, {
    ...known,
    trigger: 'schedule',
    outcome: before.enabled ? 'missed' : 'disabled',
    ...reasonColumns(passed.reason),
    count: passed.count,
    job_ids: [],
  });
}
