import type { CreateArchiveResult } from '../../ports/backup-driver.js';
import type { StorageSession } from '../../ports/storage.js';
import { archives, type RepositoryRow, repositories } from '../../schema/tables.js';
import { archiveValues, finishedAt } from './archive-values.js';
import { recount } from './recount.js';

/**
 * Takes an archive that a job of ours just made into the inventory, without asking the tool again; belongs
 * into the transaction that ends the job. Safe to repeat. `at`: now. The job's handler reports
 * `archives_changed`.
 */
export async function addArchive(
  session: StorageSession,
  { id }: Pick<RepositoryRow, 'id'>,
  made: CreateArchiveResult & { lacking?: string[] },
  at: number,
): Promise<void> {
  const [repository] = await session.find(repositories, { where: { id }, limit: 1 });
  if (!repository) return;
  await session.remove(archives, { repository_id: id, name: made.archive.name });
  const { lacking = null } = made;
  await session.insert(archives, {
    ...archiveValues(made.archive, { repositoryId: id, seenAt: at, stats: made.stats }),
    lacking,
    partial: made.stats.files === 0 || (lacking?.length ?? 0) > 0,
  });
  await recount(session, id, {
    last_backup: Math.max(repository.last_backup ?? 0, finishedAt(made.archive)),
    stored_size: made.repositoryStoredSize ?? repository.stored_size,
  });
}
