import type { StorageSession } from '../../ports/storage.js';
import { archives, type JobRow, type RepositoryRow, repositories } from '../../schema/tables.js';
import type { BackupOutcome } from '../../backups/backup-job.js';
import { archiveValues, finishedAt } from './archive-values.js';
import { recordOf } from './recorded-archives.js';
import { recount } from './recount.js';

type Made = Pick<BackupOutcome, 'archive' | 'stats' | 'repositoryStoredSize' | 'lacking'>;

/**
 * Takes the archive that a job of ours just made into the inventory, without asking the tool again, and records that
 * it is of this job; belongs into the transaction that ends the job. Safe to repeat. `at`: now. The job's handler
 * reports `archives_changed`.
 */
export async function addArchive(
  session: StorageSession,
  { id }: Pick<RepositoryRow, 'id'>,
  { job, made, at }: { job: JobRow; made: Made; at: number },
): Promise<void> {
  const [repository] = await session.find(repositories, { where: { id }, limit: 1 });
  if (!repository) return;
  await session.remove(archives, { repository_id: id, name: made.archive.name });
  await session.insert(archives, {
    ...archiveValues(made.archive, { repositoryId: id, seenAt: at, stats: made.stats }),
    ...recordOf(job, made),
  });
  await recount(session, id, {
    last_backup: Math.max(repository.last_backup ?? 0, finishedAt(made.archive)),
    stored_size: made.repositoryStoredSize ?? repository.stored_size,
  });
}
