import type { StorageSession } from '@holdfast/plugin-api';
import type { EndedJob, RecordEvent } from '../../engine/jobs/index.js';
import { jobs, noteOutcome } from '../../engine/jobs/index.js';
import {
  inTransaction,
  isoTime,
  type Message,
  messageOfColumns,
  reasonColumns,
  say,
} from '../../foundation/kernel/index.js';
import { massChangeReason, pruneSkipReason } from '../backups/index.js';
import { type BackupOutcome, findRepository, forgetMassChange } from '../repositories/index.js';
import { type RepositoryRow, repositories } from '../repositories/tables.js';
import { type ScheduleRow, scheduleRepositories } from '../schedules/tables.js';
import type { MaintenanceNeeds } from './needs.js';
import { type RetentionPauseRow, retentionPauses } from './tables.js';

/** A schedule and one of its repositories. */
interface Pair {
  schedule_id: number;
  repository_id: number;
}

/** Also for no schedule (0): changes that are not accepted yet pause them all. */
export async function findPause(session: StorageSession, pair: Pair): Promise<RetentionPauseRow | null> {
  const { schedule_id, repository_id } = pair;
  const [row] = await session.find(retentionPauses, { where: { schedule_id, repository_id }, limit: 1 });
  if (row) return row;
  return pausedBy(await findRepository(session, { repository_id }), schedule_id);
}

function pausedBy(
  { id: repository_id, mass_change, mass_change_at: since }: RepositoryRow,
  schedule_id: number,
): RetentionPauseRow | null {
  if (!mass_change || since === null) return null;
  const reason = massChangeReason(mass_change);
  const pair = { schedule_id, repository_id };
  const { job_id } = mass_change;
  return { id: 0, ...pair, ...reasonColumns(reason), reason: reason.text, job_id, since };
}

/** All pauses of schedules that prune, or those of one, by schedule and its repositories. */
export async function readPauses(session: StorageSession, scheduleId?: number) {
  const where = scheduleId === undefined ? {} : { schedule_id: scheduleId };
  const rows = await session.find(retentionPauses, { where });
  const changed = await session.find(repositories, { where: { mass_change_at: { not: null } } });
  return ({ id, run_prune_after }: ScheduleRow, repositoryIds: readonly number[]): RetentionPauseRow[] => {
    const own = rows.filter(({ schedule_id }) => schedule_id === id);
    const others = changed.filter(
      (row) => repositoryIds.includes(row.id) && !own.some(({ repository_id }) => repository_id === row.id),
    );
    return [...own, ...(run_prune_after ? others.flatMap((row) => pausedBy(row, id) ?? []) : [])];
  };
}

export const pauseReason = ({ reason, reason_code, reason_params }: RetentionPauseRow): Message =>
  messageOfColumns(reason, reason_code, reason_params);

export const pauseText = ({ id, since, reason, schedule_id, repository_id }: RetentionPauseRow): Message =>
  id === 0
    ? say`retention_paused_by_changes: Pruning has been paused since ${{ since: isoTime(since) }}: ${{ reason }}. If this is intended, call POST /api/repositories/${{ repository_id }}/accept-changes.`
    : say`retention_paused: Pruning has been paused since ${{ since: isoTime(since) }}: ${{ reason }}. If this is intended, call POST /api/schedule/${{ schedule_id }}/resume-retention.`;

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
  const pause = await findPause(session, pair);
  if (pause && pause.id !== 0) return true;
  const reason = pruneSkipReason(end.outcome);
  // The incident about a mass change is enough of a message.
  if (reason === null || reason.code === 'archive_mass_change') return pause !== null;
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
  const found = await session.find(retentionPauses, { where });
  const linked = await session.find(scheduleRepositories, { where });
  const changed = await session.find(repositories, {
    where: { id: { in: linked.map(({ repository_id }) => repository_id) }, mass_change_at: { not: null } },
  });
  const paused = [
    ...new Set([...found.map(({ repository_id }) => repository_id), ...changed.map(({ id }) => id)]),
  ];
  await session.remove(retentionPauses, where);
  for (const id of paused) await accept(session, id);
  return paused;
}

/** Accepts a mass change and a smaller size. Throws AppError `not_found`. */
export async function acceptChanges(
  { storage, events }: Pick<MaintenanceNeeds, 'storage' | 'events'>,
  id: number,
) {
  const { name, event } = await inTransaction(storage, async (session) => {
    const { name, mass_change } = await findRepository(session, { repository_id: id });
    if (!mass_change) return { name, event: null };
    await accept(session, id);
    const data = { name, fields: ['mass_change'] };
    const event = { kind: 'repository_updated' as const, repositoryId: id, jobId: null, data };
    return { name, event: await events.record(session, event) };
  });
  if (event) events.announce([event]);
  const message = event
    ? `The changes in ${name} are accepted. Its schedules prune it again with their next run.`
    : `There are no changes to accept in ${name}.`;
  return { success: true as const, message };
}

async function accept(session: StorageSession, id: number): Promise<void> {
  await forgetMassChange(session, id);
  await acceptSize(session, id);
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
