import { setTimeout as pause } from 'node:timers/promises';
import type { StorageSession } from '@holdfast/plugin-api';
import { isTerminal, type JobRow, jobs } from '../../engine/jobs/index.js';
import type { EventRow } from '../../foundation/events/index.js';
import {
  asReason,
  inTransaction,
  lastErrorColumns,
  type Message,
  messageOfColumns,
  partOf,
  reasonColumns,
  say,
} from '../../foundation/kernel/index.js';
import { endEvents } from '../backups/index.js';
import { reopenRun } from '../hooks/index.js';
import {
  type Fired,
  pauseAt,
  pausedUntilText,
  pauseOfAll,
  repositoryPlacesOf,
  type SlotNeeds,
  type SlotOutcome,
  slotResult,
} from './calendar/index.js';
import { retryAt } from './calendar/retry.rules.js';
import { type ConditionNeeds, conditionsOf } from './conditions.js';
import { queueRun, retryJob, runnable } from './runs.js';
import { type ScheduleRow, type SlotRow, schedules, slots } from './tables.js';

const mostAtOnce = 5_000;
const waitingSchedules = partOf(schedules, 'id', 'enabled', 'pause_until', 'when', 'timezone');

export const whileDisabled = say`run_while_disabled: The schedule was disabled.`;
export const unchecked = say`run_waits_for_check: Its conditions are checked now.`;

/**
 * Looks at all runs that wait, and starts those whose conditions hold. The instance that changes the state of a run
 * starts it, so it starts once. What holds counts only if it still holds after `steady`.
 */
export function waitingRuns(needs: SlotNeeds, steady: number): () => Promise<void> {
  /** Runs whose conditions did not hold. */
  const unmet = new Set<number>();
  return async () => {
    const rows = await needs.storage.find(slots, { where: { outcome: 'waiting' }, limit: mostAtOnce });
    const present = new Set(rows.map(({ id }) => id));
    for (const id of unmet) if (!present.has(id)) unmet.delete(id);
    if (rows.length === 0) return;
    const begun = await look(needs, rows, unmet);
    if (begun.length === 0) return;
    await pause(steady);
    for (const { id } of begun) unmet.delete(id);
    await look(needs, begun, unmet);
  };
}

/** Resolves to the runs whose conditions hold now, but did not at the last look. */
async function look(needs: SlotNeeds, rows: readonly SlotRow[], unmet: Set<number>): Promise<SlotRow[]> {
  const { storage, clock } = needs;
  const ids = [...new Set(rows.map(({ schedule_id }) => schedule_id))];
  const found = await storage.find(waitingSchedules, { where: { id: { in: ids } } });
  const scheduleOf = new Map(found.map((row) => [row.id, row]));
  const linked = await repositoryPlacesOf(storage, ids);
  const paused = await pauseOfAll(storage);
  const reasonOf = conditionsOf(needs as ConditionNeeds);
  const begun: SlotRow[] = [];
  const lookAt = async (slot: SlotRow) => {
    const schedule = scheduleOf.get(slot.schedule_id);
    if (!schedule) return;
    const stop = stopped(schedule, pauseAt(clock.now(), schedule.pause_until, paused));
    if (stop) return announce(needs, (session) => endWaiting(needs, session, slot, stop));
    if ((slot.start_after ?? 0) > clock.now()) return;
    const reason = await reasonOf(schedule, linked.get(schedule.id) ?? []);
    if (reason) {
      unmet.add(slot.id);
      if (reason.text === slot.reason) return;
      const where = { id: slot.id, outcome: 'waiting' as const };
      return void (await storage.update(slots, where, reasonColumns(reason)));
    }
    if (unmet.has(slot.id)) return void begun.push(slot);
    await announce(needs, (session) => start(needs, session, slot));
  };
  // A host that does not answer must not delay the others.
  await Promise.all(rows.map(lookAt));
  return begun;
}

interface Stop {
  outcome: SlotOutcome;
  reason: Message;
}

function stopped({ enabled }: Pick<ScheduleRow, 'enabled'>, paused: number | null): Stop | null {
  if (!enabled) return { outcome: 'disabled', reason: whileDisabled };
  return paused === null ? null : { outcome: 'skipped', reason: pausedUntilText(paused) };
}

async function announce(needs: SlotNeeds, work: (session: StorageSession) => Promise<Fired>): Promise<void> {
  const { jobIds, events } = await inTransaction(needs.storage, work);
  needs.events.announce(events);
  for (const id of jobIds) needs.jobs.wake(id);
}

const nothing: Fired = { jobIds: [], events: [] };

async function start(needs: SlotNeeds, session: StorageSession, { id }: SlotRow): Promise<Fired> {
  const where = { id, outcome: 'waiting' as const };
  const [slot] = await session.find(slots, { where, limit: 1 });
  const [schedule] = await session.find(schedules, { where: { id: slot?.schedule_id ?? 0 }, limit: 1 });
  if (!slot || !schedule || !(await reopenRun(session, id))) return nothing;
  const again = await leftOf(session, id);
  const able = again.length > 0 ? null : await runnable(session, schedule.id);
  if (able && 'problem' in able) {
    const reason = able.problem;
    const { events } = await endWaiting(needs, session, slot, { outcome: 'refused', reason });
    return { jobIds: [], events };
  }
  const patch = { outcome: 'running' as const, start_after: null, ...reasonColumns(null) };
  if ((await session.update(slots, where, patch)) === 0) return nothing;
  if (able) {
    const run = { schedule, plannedAt: slot.planned_at, trigger: slot.trigger, requestedBy: schedule.name };
    return {
      jobIds: await queueRun(needs, session, { run, slot, repositories: able.repositories }),
      events: [],
    };
  }
  const jobIds: number[] = [];
  for (const job of again) {
    const next = isDue(job) && (await retryJob(needs, session, { job, schedule }));
    if (next) jobIds.push(next);
  }
  await session.update(slots, { id }, { job_ids: [...slot.job_ids, ...jobIds] });
  return { jobIds, events: [] };
}

const isDue = (job: JobRow) => retryAt(job) !== null;

/** The jobs of a run that no other one replaced. */
async function leftOf(session: StorageSession, slotId: number): Promise<JobRow[]> {
  const all = await session.find(jobs, { where: { slot_id: slotId, kind: 'backup' } });
  const replaced = new Set(all.map(({ parameters }) => parameters.rerunOf));
  return all.filter(({ id }) => !replaced.has(id));
}

/**
 * Ends a run that waits. Failed backups that were to be tried again have failed now, and their events are recorded.
 */
async function endWaiting(
  { events, clock }: Pick<SlotNeeds, 'events' | 'clock'>,
  session: StorageSession,
  slot: SlotRow,
  { outcome, reason }: Stop,
): Promise<Fired> {
  const where = { id: slot.id, outcome: 'waiting' as const };
  const left = slot.job_ids.length > 0 ? await leftOf(session, slot.id) : [];
  const result = left.length > 0 ? slotResult(left) : { outcome, reason };
  const patch = { outcome: result.outcome, ...reasonColumns(result.reason), start_after: null };
  if ((await session.update(slots, where, { ...patch, completed_at: clock.now() })) === 0) return nothing;
  if (left.length === 0) return nothing;
  await session.update(schedules, { id: slot.schedule_id }, lastErrorColumns(result.reason));
  const recorded: EventRow[] = [];
  for (const job of left.filter((each) => isTerminal(each.status) && isDue(each))) {
    const error = messageOfColumns(job.error_message ?? '', job.error_code, job.error_params);
    const end = { status: 'failed' as const, error, outcome: job.outcome };
    for (const event of endEvents(job, end)) recorded.push(await events.record(session, event));
  }
  return { jobIds: [], events: recorded };
}

/** Ends the runs of a schedule that still wait, because the next one is due. */
export async function endEarlierWaiting(
  needs: Pick<SlotNeeds, 'events' | 'clock'>,
  session: StorageSession,
  scheduleId: number,
): Promise<EventRow[]> {
  const where = { schedule_id: scheduleId, outcome: 'waiting' as const };
  const recorded: EventRow[] = [];
  for (const slot of await session.find(slots, { where })) {
    const why = messageOfColumns(slot.reason ?? '', slot.reason_code, slot.reason_params);
    const reason = say`run_waited: It waited until the next run was due. ${{ reason: why.text }}`.with(
      asReason(why),
    );
    recorded.push(...(await endWaiting(needs, session, slot, { outcome: 'skipped', reason })).events);
  }
  return recorded;
}
