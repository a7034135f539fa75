import type { StorageSession } from '@holdfast/plugin-api';
import type { EventRow } from '../../foundation/events/index.js';
import { lastErrorColumns, type Message, reasonColumns, say } from '../../foundation/kernel/index.js';
import {
  cronRule,
  type Fired,
  type MissedSlots,
  type PlanKind,
  pauseOfAll,
  type Refused,
  repositoriesOf,
  type SlotNeeds,
  type SlotOutcome,
  type SlotPlan,
  scheduleFailure,
  slotTimers,
  summary,
} from './calendar/index.js';
import { runnable, startRun } from './runs.js';
import { closeEndedSlots } from './settle-slot.js';
import { type ScheduleRow, schedules, slots } from './tables.js';
import { endEarlierWaiting, unchecked, waitingRuns, whileDisabled } from './waiting-runs.js';

/**
 * Slots that fail for the same reason as the previous one are reported only when at least this far apart.
 * Milliseconds.
 */
const repeatReportAfter = 12 * 3_600_000;

/** Each planned instant has a row in the ledger. */
export const plannedBackups: PlanKind<ScheduleRow> = {
  table: schedules,
  timers: slotTimers<ScheduleRow>('schedule:', {
    kind: 'schedule',
    table: schedules,
    namesOf: async (_, rows) => new Map(rows.map(({ id, name }) => [id, name])),
  }),
  pausedUntil: pauseOfAll,
  claimed: (planned, plan) => ({ last_planned: plan?.run ?? planned }),
  run,
  refuse,
  tend: closeEndedSlots,
  waiting: waitingRuns,
};

async function run(
  needs: SlotNeeds,
  session: StorageSession,
  { row: schedule, plan }: { row: ScheduleRow; plan: SlotPlan },
): Promise<Fired | null> {
  await recordMissed(session, schedule.id, { missed: plan.paused, outcome: 'skipped' });
  await recordMissed(session, schedule.id, { missed: plan.missed, outcome: 'missed' });
  const { run: plannedAt } = plan;
  if (plannedAt === null || (await hadRun(needs, session, { id: schedule.id, plannedAt }))) return null;
  const events = await endEarlierWaiting(needs, session, schedule.id);
  const waiting = await waitingRun(session, schedule.id);
  if (waiting !== null) {
    const run = new Date(waiting).toISOString();
    const reason = say`run_skipped: The run of ${{ run }} is still waiting.`;
    await session.insert(slots, didNotRun(schedule.id, { plannedAt, outcome: 'skipped', reason }));
    return { jobIds: [], events };
  }
  if (schedule.when) {
    await session.insert(slots, didNotRun(schedule.id, { plannedAt, outcome: 'waiting', reason: unchecked }));
    return { jobIds: [], events };
  }
  const able = await runnable(session, schedule.id);
  if ('problem' in able) {
    const { problem } = able;
    const refused = await refuse(needs, session, { row: schedule, plannedAt, problem });
    return { jobIds: [], events: [...events, ...refused] };
  }
  const order = { schedule, plannedAt, trigger: 'schedule', requestedBy: schedule.name } as const;
  const slot = await startRun(needs, session, { run: order, repositories: able.repositories });
  return { jobIds: slot.job_ids, events };
}

/**
 * The planned instant of a run that already waits behind another run of the schedule, or null. Only one may
 * wait.
 */
async function waitingRun(session: StorageSession, scheduleId: number): Promise<number | null> {
  const open = await session.find(slots, {
    where: { schedule_id: scheduleId, outcome: 'running' },
    order: [['planned_at', 'desc']],
    limit: 2,
  });
  return open.length < 2 ? null : (open[0]?.planned_at ?? null);
}

async function refuse(
  { events, clock }: SlotNeeds,
  session: StorageSession,
  refused: Refused<ScheduleRow>,
): Promise<EventRow[]> {
  const { row, plannedAt, problem } = refused;
  const { id } = row;
  const reported = await wasReported(session, refused);
  await session.insert(slots, didNotRun(id, { plannedAt, outcome: 'refused', reason: problem }));
  await session.update(schedules, { id }, { last_run: clock.now(), ...lastErrorColumns(problem) });
  if (reported) return [];
  const concerned = (await repositoriesOf(session, [id])).get(id);
  const error = problem.text;
  return [await events.record(session, scheduleFailure(row, { error, plannedAt }, concerned))];
}

/**
 * A schedule that runs every minute must not send the same message every minute; a daily one may send it
 * daily.
 */
async function wasReported(
  session: StorageSession,
  { row, plannedAt, problem }: Refused<ScheduleRow>,
): Promise<boolean> {
  const [previous] = await session.find(slots, {
    where: { schedule_id: row.id, planned_at: { lt: plannedAt } },
    order: [['planned_at', 'desc']],
    limit: 1,
  });
  if (previous?.outcome !== 'refused' || previous.reason !== problem.text) return false;
  return plannedAt - previous.planned_at < repeatReportAfter;
}

const didNotRun = (
  schedule_id: number,
  {
    plannedAt: planned_at,
    outcome,
    reason,
    count = 1,
  }: { plannedAt: number; outcome: SlotOutcome; reason: Message; count?: number },
) => ({
  ...{ schedule_id, planned_at, outcome, count },
  trigger: 'schedule' as const,
  ...reasonColumns(reason),
  job_ids: [],
});

/** A run that began this long after now began by another clock. Milliseconds. */
const byOtherClock = 60_000;

/**
 * Whether a planned instant had its run. What a clock that was ahead recorded does not count: instants that it missed,
 * and runs that began later than now. Their rows make room.
 */
async function hadRun(
  { clock }: SlotNeeds,
  session: StorageSession,
  { id, plannedAt }: { id: number; plannedAt: number },
): Promise<boolean> {
  const [slot] = await session.find(slots, {
    where: { schedule_id: id, planned_at: plannedAt },
    limit: 1,
  });
  if (!slot) return false;
  const { started_at } = slot;
  if (started_at === null && didNotRunFor.has(slot.outcome)) {
    await session.remove(slots, { id: slot.id });
    return false;
  }
  if (slot.outcome === 'running' || (started_at ?? 0) <= clock.now() + byOtherClock) return true;
  const reason = say`run_by_clock_ahead: A clock that was ahead started this run too early, so it ran again when it was due.`;
  await session.update(slots, { id: slot.id }, { planned_at: plannedAt - 1, ...reasonColumns(reason) });
  return false;
}

const didNotRunFor: ReadonlySet<SlotOutcome> = new Set(['missed', 'skipped', 'refused', 'disabled']);

async function recordMissed(
  session: StorageSession,
  scheduleId: number,
  { missed, outcome }: { missed: readonly MissedSlots[]; outcome: SlotOutcome },
): Promise<void> {
  const [first, last] = [missed[0]?.plannedAt, missed.at(-1)?.plannedAt];
  if (first === undefined || last === undefined) return;
  const where = { schedule_id: scheduleId, planned_at: { gte: first, lte: last } };
  const known = new Set((await session.find(slots, { where })).map((slot) => slot.planned_at));
  for (const each of missed) {
    if (known.has(each.plannedAt)) continue;
    await session.insert(slots, didNotRun(scheduleId, { ...each, outcome }));
  }
}

/**
 * Call before a user's change moves `next_run`. Records planned instants that passed without a run as one row
 * of the ledger.
 */
export async function recordPassed(session: StorageSession, before: ScheduleRow, now: number): Promise<void> {
  const { id, enabled, next_run: from } = before;
  const rule = cronRule(before);
  if (!rule || from === null || from > now) return;
  const [slot] = await session.find(slots, { where: { schedule_id: id, planned_at: from }, limit: 1 });
  if (slot) return;
  const reason = enabled
    ? say`run_before_change_missed: The schedule was changed before this run started.`
    : whileDisabled;
  const passed = summary(rule, { from, before: now + 1, reason });
  await session.insert(slots, didNotRun(id, { ...passed, outcome: enabled ? 'missed' : 'disabled' }));
}
