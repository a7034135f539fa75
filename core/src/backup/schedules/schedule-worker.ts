import type { StorageSession } from '@holdfast/plugin-api';
import { reasonColumns, say } from '../../foundation/kernel/index.js';
import type { TimedWorker } from './calendar/index.js';
import { cronRule, makeSlotWorker, type SlotTimings, summary, timerHorizon } from './calendar/index.js';
import { fireSchedule, fireSchedules } from './fire-schedule.js';
import type { SchedulesNeeds } from './needs.js';
import { isScheduleTimer, scheduleTimers } from './schedule-timer.js';
import { closeEndedSlots } from './settle-slot.js';
import { type ScheduleRow, schedules, slots } from './tables.js';

/** Runs schedules that are due. Safe with any number of instances on the same storage. */
export function makeScheduleWorker(needs: SchedulesNeeds, timings: Partial<SlotTimings> = {}): TimedWorker {
  const { storage, clock, log } = needs;
  const engine = makeSlotWorker<ScheduleRow>({
    clock,
    log,
    timings,
    find: (query) => storage.find(schedules, query),
    fire: fireSchedule.bind(null, needs),
    fireTogether: fireSchedules.bind(null, needs),
    arm: (rows) => scheduleTimers.set(needs, ...rows),
    follow: scheduleTimers.follower(needs),
    horizon: timerHorizon,
    ruleOf: cronRule,
    move: ({ id, cron_expression, timezone, next_run }, next) =>
      storage.update(
        schedules,
        { id, cron_expression, timezone, enabled: true, next_run },
        { next_run: next },
      ),
    tend: closeEndedSlots.bind(null, needs),
  });
  return {
    ...engine,
    onTimer(key) {
      if (isScheduleTimer(key)) void engine.look();
    },
  };
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
    ? say`run_before_change_missed: The schedule was changed before this run began.`
    : say`run_while_disabled: The schedule was disabled.`;
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
