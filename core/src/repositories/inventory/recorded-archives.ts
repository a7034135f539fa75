import { parseArchiveComment } from '../archive-comment.rules.js';
import type { StorageSession, Where } from '../../ports/storage.js';
import { type JobRow, jobs } from '../../schema/tables.js';
import type { BackupOutcome } from '../../backups/backup-job.js';

/** The columns that say whose an archive is. */
export interface ArchiveRecord {
  job_id: number;
  schedule_id: number | null;
  lacking: string[] | null;
  partial: boolean;
}

const atOnce = 1_000;

type Recorded = Partial<Pick<BackupOutcome, 'lacking' | 'stats'>>;

export const recordOf = (job: JobRow, { lacking, stats }: Recorded): ArchiveRecord => ({
  job_id: job.id,
  schedule_id: job.schedule_id,
  lacking: lacking ?? null,
  partial: stats?.files === 0 || (lacking?.length ?? 0) > 0,
});

/**
 * What jobs recorded of archives of a repository, by the tool's id. The comment only names the job to ask: an archive
 * is its own when the job recorded this very id, which nobody can forge.
 */
export async function recordedArchives(
  session: StorageSession,
  repositoryId: number,
  archives: readonly { tool_id: string; comment: string }[],
): Promise<Map<string, ArchiveRecord>> {
  const named = archives.flatMap(({ comment }) => parseArchiveComment(comment)?.job ?? []);
  const uids = named.filter((job) => typeof job === 'string');
  const ids = named.filter((job) => typeof job === 'number');
  const found = [
    ...(await backupsIn(session, uids, (uid) => ({ uid }))),
    ...(await backupsIn(session, ids, (id) => ({ id }))),
  ];
  const wanted = new Set(archives.map(({ tool_id }) => tool_id));
  const records = new Map<string, ArchiveRecord>();
  for (const job of found) {
    const outcome = job.outcome as Partial<BackupOutcome> | null;
    // The registration under which it ran may have been removed since.
    const isHere = job.repository_id === null || job.repository_id === repositoryId;
    if (isHere && outcome?.archive && wanted.has(outcome.archive.id))
      records.set(outcome.archive.id, recordOf(job, outcome));
  }
  return records;
}

/** The backup jobs that a condition on one of many values finds. */
export async function backupsIn<T>(
  session: StorageSession,
  values: readonly T[],
  condition: (among: { in: readonly T[] }) => Where<typeof jobs>,
): Promise<JobRow[]> {
  const distinct = [...new Set(values)];
  const found: JobRow[] = [];
  for (let from = 0; from < distinct.length; from += atOnce) {
    const among = condition({ in: distinct.slice(from, from + atOnce) });
    found.push(...(await session.find(jobs, { where: { ...among, kind: 'backup' } })));
  }
  return found;
}
