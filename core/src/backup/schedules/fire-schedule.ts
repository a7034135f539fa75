import type { StorageSession } from '@holdfast/plugin-api';
import type { EventRow } from '../../foundation/events/index.js';
import {
  inTransaction,
  lastErrorColumns,
  type Message,
  reasonColumns,
  say,
} from '../../foundation/kernel/index.js';
import {
  cronOutdated,
  cronRule,
  type MissedSlots,
  planSlots,
  repositoriesOf,
  type SlotOutcome,
  type SlotPlan,
  scheduleFailure,
} from './calendar/index.js';
import type { SchedulesNeeds } from './needs.js';
import { runnable, startRun } from './runs.js';
import { setScheduleTimer } from './schedule-timer.js';
import { type ScheduleRow, schedules, slots } from './tables.js';

/**
 * Slots that fail for the same reason as the previous one are reported only when at least this far apart.
 * Milliseconds.
 */
const repeatReportAfter = 12 * 3_600_000;

interface Fired {
  jobIds: number[];
  events: EventRow[];
  next: number | null;
}

/**
 * Fires schedules that are due. For each one, the instance that advances `next_run` from the value in `rows`
 * does all the work; others do nothing. All changes are one transaction: on rejection, with a StoreError when
 * the storage is down, nothing has changed.
 */
export async function fireSchedules(needs: SchedulesNeeds, rows: readonly ScheduleRow[]): Promise<void> {
  const now = needs.clock.now();
  const due = (await stillDue(needs, rows)).flatMap((seen) => dueOf(seen, now) ?? []);
  if (due.length === 0) return;
  const fired = await inTransaction(needs.storage, async (session) => {
    const done: { seen: ScheduleRow; what: Fired }[] = [];
    for (const each of due) {
      const what = await fire(needs, session, each);
      if (what) done.push({ seen: each.seen, what });
    }
    return done;
  });
  for (const { what } of fired) {
    needs.events.announce(what.events);
    for (const id of what.jobIds) needs.jobs.wake(id);
  }
  const planned = fired.map(({ seen, what }) => ({ ...seen, next_run: what.next }));
  setScheduleTimer(needs, ...planned);
}

export function fireSchedule(needs: SchedulesNeeds, seen: ScheduleRow): Promise<void> {
  return fireSchedules(needs, [seen]);
}

/** A cheap read that avoids a transaction when another instance was faster. */
async function stillDue({ storage }: SchedulesNeeds, rows: readonly ScheduleRow[]): Promise<ScheduleRow[]> {
  const now = await storage.find(schedules, { where: { id: { in: rows.map(({ id }) => id) } } });
  const planned = new Map(now.map(({ id, next_run }) => [id, next_run]));
  return rows.filter(({ id, next_run }) => planned.get(id) === next_run);
}

interface Due {
  seen: ScheduleRow;
  planned: number;
  /** Null when the cron expression is invalid. */
  plan: SlotPlan | null;
}

function dueOf(seen: ScheduleRow, now: number): Due | null {
  const { next_run: planned } = seen;
  if (planned === null || planned > now) return null;
  const rule = cronRule(seen);
  return { seen, planned, plan: rule && planSlots(rule, { planned, now, catchUp: seen.catch_up }) };
}

async function fire(
  needs: SchedulesNeeds,
  session: StorageSession,
  { seen, planned, plan }: Due,
): Promise<Fired | null> {
  const { id, cron_expression, timezone, catch_up } = seen;
  const where = { id, cron_expression, timezone, catch_up, enabled: true, next_run: planned };
  const next = plan?.next ?? null;
  const patch = { next_run: next, last_planned: plan?.run ?? planned };
  if ((await session.update(schedules, where, patch)) === 0) return null;
  const [schedule] = await session.find(schedules, { where: { id }, limit: 1 });
  if (!schedule) return null;
  if (!plan) {
    const problem = cronOutdated({ cron_expression, timezone });
    return {
      jobIds: [],
      events: await recordRejected(needs, session, { schedule, plannedAt: planned, problem }),
      next,
    };
  }
  await recordMissed(session, id, plan.missed);
  if (plan.run === null || (await hadRun(needs, session, { id, plannedAt: plan.run })))
    return { jobIds: [], events: [], next };
  return { ...(await run(needs, session, { schedule, plannedAt: plan.run })), next };
}

interface Planned {
  schedule: ScheduleRow;
  plannedAt: number;
}

async function run(
  needs: SchedulesNeeds,
  session: StorageSession,
  { schedule, plannedAt }: Planned,
): Promise<Omit<Fired, 'next'>> {
  const waiting = await waitingRun(session, schedule.id);
  if (waiting !== null) {
    const run = new Date(waiting).toISOString();
    const reason = say`run_skipped: The run of ${{ run }} is still waiting.`;
    await session.insert(slots, didNotRun({ schedule, plannedAt }, 'skipped', reason));
    return { jobIds: [], events: [] };
  }
  const able = await runnable(session, schedule.id);
  if ('problem' in able) {
    const events = await recordRejected(needs, session, { schedule, plannedAt, problem: able.problem });
    return { jobIds: [], events };
  }
  const order = { schedule, plannedAt, trigger: 'schedule', requestedBy: schedule.name } as const;
  const slot = await startRun(needs, session, { run: order, repositories: able.repositories });
  return { jobIds: slot.job_ids, events: [] };
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

type Rejected = Planned & { problem: Message };

async function recordRejected(
  { events, clock }: SchedulesNeeds,
  session: StorageSession,
  { schedule, plannedAt, problem }: Rejected,
): Promise<EventRow[]> {
  const reported = await wasReported(session, { schedule, plannedAt, problem });
  await session.insert(slots, didNotRun({ schedule, plannedAt }, 'refused', problem));
  await session.update(
    schedules,
    { id: schedule.id },
    {
      last_run: clock.now(),
      ...lastErrorColumns(problem),
    },
  );
  if (reported) return [];
  const concerned = (await repositoriesOf(session, [schedule.id])).get(schedule.id);
  const error = problem.text;
  return [await events.record(session, scheduleFailure(schedule, { error, plannedAt }, concerned))];
}

/**
 * A schedule that runs every minute must not send the same message every minute; a daily one may send it
 * daily.
 */
async function wasReported(
  session: StorageSession,
  { schedule, plannedAt, problem }: Rejected,
): Promise<boolean> {
  const [previous] = await session.find(slots, {
    where: { schedule_id: schedule.id, planned_at: { lt: plannedAt } },
    order: [['planned_at', 'desc']],
    limit: 1,
  });
  if (previous?.outcome !== 'refused' || previous.reason !== problem.text) return false;
  return plannedAt - previous.planned_at < repeatReportAfter;
}

const didNotRun = (
  { schedule, plannedAt }: Planned,
  outcome: 'skipped' | 'refused' | 'missed',
  reason: Message,
) => ({
  schedule_id: schedule.id,
  planned_at: plannedAt,
  trigger: 'schedule' as const,
  outcome,
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
  { clock }: SchedulesNeeds,
  session: StorageSession,
  { id, plannedAt }: { id: number; plannedAt: number },
): Promise<boolean> {
  const [slot] = await session.find(slots, {
    where: { schedule_id: id, planned_at: plannedAt },
    limit: 1,
  });
  if (!slot) return false;
  if (didNotRunFor.has(slot.outcome)) {
    await session.remove(slots, { id: slot.id });
    return false;
  }
  const { started_at } = slot;
  if (slot.outcome === 'running' || (started_at ?? 0) <= clock.now() + byOtherClock) return true;
  const reason = say`run_by_clock_ahead: A clock that was ahead ran this too early, so the run was made again when it was due.`;
  await session.update(slots, { id: slot.id }, { planned_at: plannedAt - 1, ...reasonColumns(reason) });
  return false;
}

const didNotRunFor: ReadonlySet<SlotOutcome> = new Set(['missed', 'skipped', 'refused', 'disabled']);

async function recordMissed(
  session: StorageSession,
  scheduleId: number,
  missed: readonly MissedSlots[],
): Promise<void> {
  const [first, last] = [missed[0]?.plannedAt, missed.at(-1)?.plannedAt];
  if (first === undefined || last === undefined) return;
  const where = { schedule_id: scheduleId, planned_at: { gte: first, lte: last } };
  const known = new Set((await session.find(slots, { where })).map((slot) => slot.planned_at));
  for (const { plannedAt, count, reason } of missed) {
    if (known.has(plannedAt)) continue;
    await session.insert(slots, {
      schedule_id: scheduleId,
      planned_at: plannedAt,
      trigger: 'schedule',
      outcome: 'missed',
      ...reasonColumns(reason),
      count,
      job_ids: [],
    });
  }
}
