import type { StorageSession } from '@holdfast/plugin-api';
import {
  cronRule,
  firstOfInstants,
  type MissedSlots,
  planSlots,
  repositoriesOf,
  type SlotPlan,
  scheduleFailure,
} from '../calendar/index.js';
import type { EventRow } from '../events/tables.js';
import { inTransaction } from '../kernel/index.js';
import type { SchedulesNeeds } from './needs.js';
import { runnable, startRun } from './runs.js';
import { setScheduleTimer } from './schedule-timer.js';
import { type ScheduleRow, schedules, slots } from './tables.js';

type Needs = Pick<SchedulesNeeds, 'storage' | 'jobs' | 'events' | 'clock' | 'timers' | 'log'>;

/** How far apart slots are whose refusals for the same reason are told each. */
const tellAgainAfter = 12 * 3_600_000;

interface Fired {
  jobIds: number[];
  events: EventRow[];
  next: number | null;
}

/**
 * Does what is due of schedules, as their rows were seen. Whoever moves `next_run` on from what was seen does all of
 * it; everyone else does nothing. One transaction for all: rejects without having done anything, with a StoreError
 * when the storage is away.
 */
export const fireSchedules =
  (needs: Needs) =>
  async (rows: readonly ScheduleRow[]): Promise<void> => {
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
    for (const schedule of firstOfInstants(planned)) setScheduleTimer(needs, schedule);
  };

export const fireSchedule =
  (needs: Needs) =>
  (seen: ScheduleRow): Promise<void> =>
    fireSchedules(needs)([seen]);

/** A cheap look that spares a transaction when another instance was faster. */
async function stillDue({ storage }: Needs, rows: readonly ScheduleRow[]): Promise<ScheduleRow[]> {
  const now = await storage.find(schedules, { where: { id: { in: rows.map(({ id }) => id) } } });
  const planned = new Map(now.map(({ id, next_run }) => [id, next_run]));
  return rows.filter(({ id, next_run }) => planned.get(id) === next_run);
}

interface Due {
  seen: ScheduleRow;
  planned: number;
  /** Null: the rule can't be read. */
  plan: SlotPlan | null;
}

function dueOf(seen: ScheduleRow, now: number): Due | null {
  const { next_run: planned } = seen;
  if (planned === null || planned > now) return null;
  const rule = cronRule(seen);
  return { seen, planned, plan: rule && planSlots(rule, { planned, now, catchUp: seen.catch_up }) };
}

async function fire(
  needs: Needs,
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
    const refusal = `The cron expression ${cron_expression} in the time zone ${timezone} can't be read any more.`;
    return {
      jobIds: [],
      events: await refuse(needs, session, { schedule, plannedAt: planned, refusal }),
      next,
    };
  }
  await recordMissed(session, id, plan.missed);
  if (plan.run === null || (await isKnown(session, id, plan.run))) return { jobIds: [], events: [], next };
  return { ...(await run(needs, session, { schedule, plannedAt: plan.run })), next };
}

interface Planned {
  schedule: ScheduleRow;
  plannedAt: number;
}

async function run(
  needs: Needs,
  session: StorageSession,
  { schedule, plannedAt }: Planned,
): Promise<Omit<Fired, 'next'>> {
  const waiting = await waitingRun(session, schedule.id);
  if (waiting !== null) {
    const reason = `The run of ${new Date(waiting).toISOString()} is still waiting.`;
    await session.insert(slots, didNotRun({ schedule, plannedAt }, 'skipped', reason));
    return { jobIds: [], events: [] };
  }
  const able = await runnable(session, schedule.id);
  if ('refusal' in able) {
    const events = await refuse(needs, session, { schedule, plannedAt, refusal: able.refusal });
    return { jobIds: [], events };
  }
  const order = { schedule, plannedAt, trigger: 'schedule', requestedBy: schedule.name } as const;
  const slot = await startRun(needs, session, { run: order, repositories: able.repositories });
  return { jobIds: slot.job_ids, events: [] };
}

/** When the run was planned that already waits behind another one of the schedule, or null: one may wait. */
async function waitingRun(session: StorageSession, scheduleId: number): Promise<number | null> {
  const open = await session.find(slots, {
    where: { schedule_id: scheduleId, outcome: 'running' },
    order: [['planned_at', 'desc']],
    limit: 2,
  });
  return open.length < 2 ? null : (open[0]?.planned_at ?? null);
}

type Refused = Planned & { refusal: string };

async function refuse(
  { events, clock }: Needs,
  session: StorageSession,
  { schedule, plannedAt, refusal }: Refused,
): Promise<EventRow[]> {
  const told = await wasToldOf(session, { schedule, plannedAt, refusal });
  await session.insert(slots, didNotRun({ schedule, plannedAt }, 'refused', refusal));
  await session.update(schedules, { id: schedule.id }, { last_run: clock.now(), last_error: refusal });
  if (told) return [];
  const concerned = (await repositoriesOf(session, [schedule.id])).get(schedule.id);
  return [await events.record(session, scheduleFailure(schedule, { error: refusal, plannedAt }, concerned))];
}

/** A schedule of every minute must not send the same message every minute; one of every day does every day. */
async function wasToldOf(
  session: StorageSession,
  { schedule, plannedAt, refusal }: Refused,
): Promise<boolean> {
  const [previous] = await session.find(slots, {
    where: { schedule_id: schedule.id, planned_at: { lt: plannedAt } },
    order: [['planned_at', 'desc']],
    limit: 1,
  });
  if (previous?.outcome !== 'refused' || previous.reason !== refusal) return false;
  return plannedAt - previous.planned_at < tellAgainAfter;
}

const didNotRun = (
  { schedule, plannedAt }: Planned,
  outcome: 'skipped' | 'refused' | 'missed',
  reason: string,
) => ({
  ...{ schedule_id: schedule.id, planned_at: plannedAt, trigger: 'schedule' as const },
  ...{ outcome, reason, job_ids: [] },
});

async function isKnown(session: StorageSession, scheduleId: number, plannedAt: number): Promise<boolean> {
  const where = { schedule_id: scheduleId, planned_at: plannedAt };
  return (await session.find(slots, { where, limit: 1 })).length > 0;
}

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
      ...{ schedule_id: scheduleId, planned_at: plannedAt, trigger: 'schedule' },
      ...{ outcome: 'missed', reason, count, job_ids: [] },
    });
  }
}
