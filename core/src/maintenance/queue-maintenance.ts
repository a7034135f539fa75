import type { StorageSession } from '@holdfast/plugin-api';
import { pruneStopper } from '../backups/index.js';
import { retentionOf } from '../calendar/index.js';
import type { EndedJob, JobQueue, NewJob } from '../jobs/index.js';
import {
  type MaintenanceStatus,
  noteMaintenance,
  statusAfterCompact,
  statusAfterPrune,
  succeeded,
} from '../jobs/index.js';
import { type ScheduleRow, schedules } from '../schedules/tables.js';
import type { CompactParameters, PruneParameters } from './maintenance-job.rules.js';

/*
 * Each step is queued by the transaction that ends the one before it, so no crash can lose or double a step. The
 * instance that ran the job looks at the repository's queue next and finds it.
 */

/**
 * After a scheduled backup that has an archive: prune, else compact, as the schedule has it now. Nothing when it lacks
 * something: the archives that still hold it must stay.
 */
export async function queueAfterBackup(
  queue: JobQueue,
  session: StorageSession,
  ended: EndedJob,
): Promise<void> {
  const { job, end, repository } = ended;
  const schedule = await scheduleOf(session, job.schedule_id);
  if (!repository || !schedule || !succeeded(end.status)) return;
  const base = { repository, requestedBy: schedule.name, scheduleId: schedule.id };
  const link = { scheduleId: schedule.id, backupJobId: job.id };
  if (schedule.run_prune_after && pruneStopper(end.outcome) !== null) {
    await tellBackup(session, job.id, 'prune_skipped');
  } else if (schedule.run_prune_after) {
    const parameters: PruneParameters = { ...link, rules: retentionOf(schedule) };
    await queue.insert({ ...base, kind: 'prune', parameters }, session);
    await tellBackup(session, job.id, 'running_prune');
  } else if (schedule.run_compact_after) {
    await queue.insert(compactJob(base, { ...link, pruneFailed: false }), session);
    await tellBackup(session, job.id, 'running_compact');
  }
}

/** Compact follows a failed prune too; one that was cancelled ends the maintenance, and one by hand has no more. */
export async function queueAfterPrune(
  queue: JobQueue,
  session: StorageSession,
  ended: EndedJob,
): Promise<void> {
  const { job, end, repository } = ended;
  const { scheduleId, backupJobId } = job.parameters as PruneParameters;
  if (backupJobId === null) return;
  const schedule = await scheduleOf(session, scheduleId);
  const follows = repository && schedule?.run_compact_after && end.status !== 'cancelled';
  await tellBackup(session, backupJobId, statusAfterPrune(end.status, Boolean(follows)));
  if (!follows) return;
  const base = { repository, requestedBy: schedule.name, scheduleId: schedule.id };
  const pruneFailed = !succeeded(end.status);
  await queue.insert(compactJob(base, { scheduleId, backupJobId, pruneFailed }), session);
}

export async function finishAfterCompact(session: StorageSession, { job, end }: EndedJob): Promise<void> {
  const { backupJobId, pruneFailed } = job.parameters as CompactParameters;
  await tellBackup(session, backupJobId, statusAfterCompact(end.status, pruneFailed));
}

/** Null: no backup asked for it. The backup may also be gone: nobody needs to be told then. */
export async function tellBackup(
  session: StorageSession,
  id: number | null,
  status: MaintenanceStatus,
): Promise<void> {
  if (id === null) return;
  await noteMaintenance(session, id, status);
}

const compactJob = (
  base: Pick<NewJob, 'repository' | 'requestedBy' | 'scheduleId'>,
  parameters: CompactParameters,
): NewJob => ({ ...base, kind: 'compact', parameters });

async function scheduleOf(session: StorageSession, id: number | null): Promise<ScheduleRow | undefined> {
  if (id === null) return undefined;
  const [schedule] = await session.find(schedules, { where: { id }, limit: 1 });
  return schedule;
}
