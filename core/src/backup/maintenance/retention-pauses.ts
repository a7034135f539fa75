import type { StorageSession } from '@holdfast/plugin-api';
import type { EndedJob, RecordEvent } from '../../engine/jobs/index.js';
import { jobs, noteOutcome } from '../../engine/jobs/index.js';
import {
  isoTime,
  type Message,
  messageOfColumns,
  reasonColumns,
  say,
} from '../../foundation/kernel/index.js';
import { pruneSkipReason } from '../backups/index.js';
import type { BackupOutcome } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { ScheduleRow } from '../schedules/tables.js';
import { type RetentionPauseRow, retentionPauses } from './tables.js';

/** A schedule and one of its repositories. */
interface Pair {
  schedule_id: number;
  repository_id: number;
}

export async function findPause(session: StorageSession, pair: Pair): Promise<RetentionPauseRow | null> {
  const { schedule_id, repository_id } = pair;
  const [row] = await session.find(retentionPauses, { where: { schedule_id, repository_id }, limit: 1 });
  return row ?? null;
}

export const pauseReason = ({ reason, reason_code, reason_params }: RetentionPauseRow): Message =>
  messageOfColumns(reason, reason_code, reason_params);

export const pauseText = ({ since, reason, schedule_id }: RetentionPauseRow): Message =>
  say`retention_paused: Pruning has been paused since ${{ since: isoTime(since) }}: ${{ reason }}. If this is intended, call POST /api/schedule/${{ schedule_id }}/resume-retention.`;

interface Ended {
  ended: EndedJob;
  schedule: ScheduleRow;
  repository: RepositoryRow;
  now: number;
  record: RecordEvent;
}

/**
 * Whether the retention of the schedule is paused in this repository. Pauses it when the backup lacks data that
 * earlier archives may hold. It stays paused when later backups are complete: what was lost in between may be in no
 * newer archive, and nobody may have looked yet.
 */
export async function pausedAfter(
  session: StorageSession,
  { ended: { job, end }, schedule, repository, now, record }: Ended,
): Promise<boolean> {
  const pair = { schedule_id: schedule.id, repository_id: repository.id };
  if (await findPause(session, pair)) return true;
  const reason = pruneSkipReason(end.outcome);
  if (reason === null) return false;
  await session.insert(retentionPauses, {
    ...pair,
    ...reasonColumns(reason),
    reason: reason.text,
    job_id: job.id,
    since: now,
  });
  await record({
    kind: 'retention_paused',
    repositoryId: repository.id,
    jobId: job.id,
    data: {
      reason: reason.text,
      schedule_id: schedule.id,
      schedule_name: schedule.name,
      repository_name: repository.name,
      repository_path: repository.path,
    },
  });
  return true;
}

/** Lifts the pauses of a schedule, in one repository or in all. Returns the repositories in which there was one. */
export async function resumeRetention(
  session: StorageSession,
  { scheduleId, repositoryId }: { scheduleId: number; repositoryId: number | null },
): Promise<number[]> {
  const where = {
    schedule_id: scheduleId,
    ...(repositoryId === null ? {} : { repository_id: repositoryId }),
  };
  const paused = (await session.find(retentionPauses, { where })).map(({ repository_id }) => repository_id);
  await session.remove(retentionPauses, where);
  for (const id of paused) await acceptSize(session, id);
  return paused;
}

const lastJobs = 20;

/** Otherwise the next backup would pause it again, compared with an archive from before the loss. */
async function acceptSize(session: StorageSession, repositoryId: number): Promise<void> {
  const made = await session.find(jobs, {
    where: { repository_id: repositoryId, kind: 'backup' },
    order: [['id', 'desc']],
    limit: lastJobs,
  });
  const outcomeOf = ({ outcome }: (typeof made)[number]) => outcome as Partial<BackupOutcome> | null;
  const last = made.find((job) => outcomeOf(job)?.archive !== undefined);
  if (last && outcomeOf(last)?.collapsed === true) await noteOutcome(session, last, { accepted: true });
}

/** Call it in the transaction that removes the schedule. */
export const forgetPauses = (session: StorageSession, scheduleId: number) =>
  session.remove(retentionPauses, { schedule_id: scheduleId });
