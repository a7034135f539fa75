import type { StorageSession } from '@holdfast/plugin-api';
import type { EndedJob, JobQueue, NewJob, RecordEvent } from '../../engine/jobs/index.js';
import {
  type MaintenanceStatus,
  noteMaintenance,
  statusAfterCompact,
  statusAfterPrune,
  succeeded,
} from '../../engine/jobs/index.js';
import { retentionOf } from '../schedules/calendar/index.js';
import { type ScheduleRow, schedules } from '../schedules/tables.js';
import type { CompactParameters, PruneParameters } from './maintenance-job.rules.js';
import type { MaintenanceNeeds } from './needs.js';
import { pausedAfter } from './retention-pauses.js';

/*
 * Each step is queued in the transaction that ends the previous one, so that a crash can neither lose nor repeat a
 * step. The instance that ran the job looks at the repository's queue next and finds it.
 */

/**
 * After a scheduled backup that made an archive, queues a prune or else a compact, as the schedule says now.
 * Neither when the retention is paused: earlier archives may contain data that newer ones lack.
 */
export async function queueAfterBackup(
  { jobs: queue, clock }: MaintenanceNeeds,
  session: StorageSession,
  { ended, record }: { ended: EndedJob; record: RecordEvent },
): Promise<void> {
  const { job, end, repository } = ended;
  const schedule = await scheduleOf(session, job.schedule_id);
  if (!repository || !schedule) return;
  const about = { ended, schedule, repository, now: clock.now(), record };
  const paused = schedule.run_prune_after && (await pausedAfter(session, about));
  if (!succeeded(end.status)) return;
  const base = { repository, requestedBy: schedule.name, scheduleId: schedule.id };
  const link = { scheduleId: schedule.id, backupJobId: job.id };
  if (paused) {
    await setMaintenanceStatus(session, job.id, 'prune_skipped');
  } else if (schedule.run_prune_after) {
    const parameters: PruneParameters = { ...link, rules: retentionOf(schedule) };
    await queue.insert({ ...base, kind: 'prune', parameters }, session);
    await setMaintenanceStatus(session, job.id, 'running_prune');
  } else if (schedule.run_compact_after) {
    await queue.insert(compactJob(base, { ...link, pruneFailed: false }), session);
    await setMaintenanceStatus(session, job.id, 'running_compact');
  }
}

/**
 * A compact follows a failed prune too. A cancelled prune ends the maintenance, and a manual one has no
 * follow-up.
 */
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
  await setMaintenanceStatus(session, backupJobId, statusAfterPrune(end.status, Boolean(follows)));
  if (!follows) return;
  const base = { repository, requestedBy: schedule.name, scheduleId: schedule.id };
  const pruneFailed = !succeeded(end.status);
  await queue.insert(compactJob(base, { scheduleId, backupJobId, pruneFailed }), session);
}

export async function finishAfterCompact(session: StorageSession, { job, end }: EndedJob): Promise<void> {
  const { backupJobId, pruneFailed } = job.parameters as CompactParameters;
  await setMaintenanceStatus(session, backupJobId, statusAfterCompact(end.status, pruneFailed));
}

/** Sets the maintenance status of a backup. Does nothing for null, or when the backup is gone. */
export async function setMaintenanceStatus(
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
