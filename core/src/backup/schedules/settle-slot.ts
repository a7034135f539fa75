import type { StorageSession } from '@holdfast/plugin-api';
import type { EndedJob } from '../../engine/jobs/index.js';
import { isTerminal, type JobRow, jobs, wasInterrupted } from '../../engine/jobs/index.js';
import type { EventBus, EventRow } from '../../foundation/events/index.js';
import {
  asReason,
  inTransaction,
  lastErrorColumns,
  reasonColumns,
  say,
} from '../../foundation/kernel/index.js';
import type { Forgotten } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { ScheduledBackupParameters } from './calendar/index.js';
import { scheduleFailure, slotResult } from './calendar/index.js';
import { retryAt } from './calendar/retry.rules.js';
import type { SchedulesNeeds } from './needs.js';
import { recordScheduleChange } from './schedule-changed.js';
import { scheduleRepositories, schedules, slots } from './tables.js';
import { unchecked } from './waiting-runs.js';

/**
 * Updates the slot of a backup that ended, in the transaction that ends the job. A backup that a shutdown
 * interrupted is queued once more if its schedule catches up.
 */
export async function settleSlot(
  needs: SchedulesNeeds,
  session: StorageSession,
  ended: EndedJob,
): Promise<void> {
  const { slot_id } = ended.job;
  if (slot_id === null) return;
  await rerunInterrupted(needs, session, ended);
  await closeSlot(needs, session, slot_id);
}

/** Ends a slot once all of its jobs have ended. */
async function closeSlot(
  { clock }: Pick<SchedulesNeeds, 'clock'>,
  session: StorageSession,
  slotId: number,
): Promise<void> {
  const [slot] = await session.find(slots, { where: { id: slotId, outcome: 'running' }, limit: 1 });
  if (!slot) return;
  const all = await session.find(jobs, { where: { slot_id: slotId, kind: 'backup' } });
  if (!all.every(({ status }) => isTerminal(status))) return;
  const replaced = new Set(all.map((job) => parametersOf(job).rerunOf));
  const left = all.filter(({ id }) => !replaced.has(id));
  const { outcome, reason } = slotResult(left);
  const again = left.flatMap((job) => retryAt(job) ?? []);
  if (again.length > 0) {
    const start_after = Math.max(...again);
    const why = reason ?? unchecked;
    const at = new Date(start_after).toISOString();
    const waits = say`run_waits_to_retry: ${{ reason: why.text }} It is tried again after ${{ at }}.`.with(
      asReason(why),
    );
    const waiting = { outcome: 'waiting' as const, start_after, ...reasonColumns(waits) };
    await session.update(slots, { id: slotId }, waiting);
    return;
  }
  const ended = { outcome, ...reasonColumns(reason), completed_at: clock.now() };
  await session.update(slots, { id: slotId }, ended);
  const last = lastErrorColumns(outcome === 'failed' ? reason : null);
  await session.update(schedules, { id: slot.schedule_id }, last);
}

/** The new job runs after the next start or on another instance. It is never queued a third time. */
async function rerunInterrupted(
  needs: SchedulesNeeds,
  session: StorageSession,
  { job, end, repository }: EndedJob,
): Promise<void> {
  const parameters = parametersOf(job);
  if (!wasInterrupted(end) || parameters.rerunOf !== undefined || !repository) return;
  const where = { id: job.schedule_id ?? 0, enabled: true, catch_up: 'one' as const };
  const [schedule] = await session.find(schedules, { where, limit: 1 });
  const [slot] = await session.find(slots, { where: { id: job.slot_id ?? 0 }, limit: 1 });
  if (!schedule || !slot) return;
  const again = await needs.jobs.insert(
    {
      kind: 'backup',
      repository,
      parameters: { ...parameters, rerunOf: job.id },
      requestedBy: job.requested_by,
      scheduleId: schedule.id,
      slotId: slot.id,
    },
    session,
  );
  await session.update(slots, { id: slot.id }, { job_ids: [...slot.job_ids, again.id] });
}

const parametersOf = (job: JobRow): Partial<ScheduledBackupParameters> => job.parameters;

const atOnce = 500;
const olderThan = 60_000;

/**
 * Ends slots that stayed open although their jobs ended: closing a slot is skipped when it cannot be written
 * with the end of the job. Such a slot would block all later ones.
 */
export async function closeEndedSlots({
  storage,
  clock,
}: Pick<SchedulesNeeds, 'storage' | 'clock'>): Promise<void> {
  const open = await storage.find(slots, {
    where: { outcome: 'running', started_at: { lt: clock.now() - olderThan } },
    limit: atOnce,
  });
  for (const { id } of open) {
    await inTransaction(storage, (session) => closeSlot({ clock }, session, id));
  }
}

/**
 * Removes a repository that is being deleted from all schedules. A schedule that has none left is disabled
 * and reported once. Announce the returned events after the commit.
 */
export async function forgetInSchedules(
  session: StorageSession,
  { repository, events }: { repository: RepositoryRow; events: Pick<EventBus, 'record'> },
): Promise<Forgotten> {
  const links = await session.find(scheduleRepositories, { where: { repository_id: repository.id } });
  await session.remove(scheduleRepositories, { repository_id: repository.id });
  const recorded: EventRow[] = [];
  for (const { schedule_id: id } of links) {
    const [other] = await session.find(scheduleRepositories, { where: { schedule_id: id }, limit: 1 });
    const [schedule] = await session.find(schedules, { where: { id }, limit: 1 });
    if (!schedule) continue;
    const change = { change: 'updated' as const, formerRepositories: [repository.id] };
    const enabled = schedule.enabled && other !== undefined;
    recorded.push(
      await recordScheduleChange(session, events, { ...change, schedule: { ...schedule, enabled } }),
    );
    if (other) continue;
    const error = say`schedule_without_repository_disabled: Its last repository, ${{ repository: repository.name }}, was deleted, so the schedule was disabled. Add another repository, then enable it.`;
    await session.update(schedules, { id }, { enabled: false, ...lastErrorColumns(error) });
    const failure = scheduleFailure(schedule, { error: error.text }, [repository]);
    recorded.push(await events.record(session, failure));
  }
  return { events: recorded };
}
