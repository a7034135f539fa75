import { parseArchiveComment } from '../../domain/archive-comment.js';
import { isCheckpointName } from '../../domain/archive-name.js';
import type { ArchiveSummary } from '../../ports/backup-driver.js';
import type { StorageSession } from '../../ports/storage.js';
import { jobs } from '../../schema/tables.js';
import type { BackupOutcome } from '../backups/backup-job.js';

/** The finished archives that jobs of a schedule made: by the comment that each carries, never by its name. */
export function archivesOfSchedule(
  listed: readonly ArchiveSummary[],
  { installation, scheduleId }: { installation: string; scheduleId: number },
): ArchiveSummary[] {
  return listed.filter(({ name, comment }) => {
    const origin = parseArchiveComment(comment);
    return (
      origin?.installation === installation && origin.scheduleId === scheduleId && !isCheckpointName(name)
    );
  });
}

/** The newest archive that can be relied on, or null. `members`: oldest first. */
export async function newestGoodArchive(
  session: StorageSession,
  members: readonly ArchiveSummary[],
  installation: string,
): Promise<ArchiveSummary | null> {
  const newestFirst = members.toReversed().sort((a, b) => b.start - a.start);
  for (const archive of newestFirst) if (await isGood(session, archive, installation)) return archive;
  return null;
}

/** An archive whose job is not known, or is not ours, counts as good: nothing speaks against it. */
async function isGood(
  session: StorageSession,
  { comment }: ArchiveSummary,
  installation: string,
): Promise<boolean> {
  const origin = parseArchiveComment(comment);
  const id = origin?.installation === installation ? origin.jobId : 0;
  const [job] = await session.find(jobs, { where: { id, kind: 'backup' }, limit: 1 });
  if (!job || job.status === 'completed') return true;
  if (job.status !== 'completed_with_warnings') return false;
  return ((job.outcome as BackupOutcome | null)?.stats.files ?? 0) > 0;
}
