import type { JobEnd, JobRow } from '../../engine/jobs/index.js';
import { inOwnTransaction, textOf } from '../../engine/jobs/index.js';
import type { NewEvent } from '../../foundation/events/index.js';
import { events as eventRows } from '../../foundation/events/index.js';
import { isoTime } from '../../foundation/kernel/index.js';
import type { BackupOutcome } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import { isPostponement, scheduleFactsOf } from '../schedules/calendar/index.js';
import type { BackupsNeeds } from './needs.js';

const facts = (job: JobRow) => ({
  repository_name: job.repository_name,
  repository_path: job.repository_path,
  job_id: job.id,
  job_name: scheduleFactsOf(job)?.name ?? null,
  schedule_id: job.schedule_id,
  started_at: isoTime(job.started_at),
});

/** Rejects with JobAborted `lost` when another run has taken over the job. */
export async function recordBackupStart(
  { storage, events }: Pick<BackupsNeeds, 'storage' | 'events'>,
  job: JobRow,
  { repository, archive }: { repository: RepositoryRow; archive: string },
): Promise<void> {
  const data = {
    ...facts(job),
    archive_name: archive,
    source_directories: repository.source_directories,
    sources: repository.sources.map(({ name }) => name),
  };
  const event: NewEvent = { kind: 'backup_start', repositoryId: job.repository_id, jobId: job.id, data };
  const where = { kind: event.kind, job_id: job.id, at: { gte: job.started_at ?? job.requested_at } };
  const row = await inOwnTransaction(storage, job, async (session) => {
    const [written] = await session.find(eventRows, { where, limit: 1 });
    return written ?? events.record(session, event);
  });
  events.announce([row]);
}

/** Events for the end of a backup. A cancelled backup counts as a failure, unless a hook postponed it. */
export function endEvents(job: JobRow, end: JobEnd): NewEvent[] {
  if (end.status === 'cancelled' && isPostponement(end.error?.code)) return [];
  const outcome = end.outcome as BackupOutcome | null;
  const made = outcome?.archive ? [outcome.archive.name] : [];
  const about = { repositoryId: job.repository_id, jobId: job.id };
  if (end.status === 'failed' || end.status === 'cancelled') {
    const data = { ...facts(job), status: end.status, error_message: textOf(end) };
    const failure = { kind: 'backup_failure', ...about, data } as const;
    // A post-backup hook can fail after the archive was made.
    return made.length === 0 ? [failure] : [failure, archivesAdded(about, made)];
  }
  const data = {
    ...facts(job),
    archive_name: outcome?.archive.name ?? null,
    duration_seconds: seconds(job),
    stats: outcome && {
      original_size: outcome.stats.originalSize,
      compressed_size: outcome.stats.compressedSize,
      deduplicated_size: outcome.stats.deduplicatedSize,
    },
    ...(end.status === 'completed_with_warnings' ? { warning_message: textOf(end) } : {}),
  };
  const kind = end.status === 'completed' ? 'backup_success' : 'backup_warning';
  return [{ kind, ...about, data }, archivesAdded(about, made)];
}

const archivesAdded = (about: Pick<NewEvent, 'repositoryId' | 'jobId'>, added: string[]): NewEvent => ({
  kind: 'archives_changed',
  ...about,
  data: { added },
});

const seconds = ({ started_at: from, completed_at: to }: JobRow) =>
  from === null || to === null ? null : Math.max(0, to - from) / 1000;
