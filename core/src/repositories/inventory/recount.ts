import type { StorageSession } from '../../ports/storage.js';
import { archives, type RepositoryRow, repositories } from '../../schema/tables.js';

/**
 * Writes `archive_count` from the rows, and what else the caller knows of the repository, in the same
 * statement.
 */
export async function recount(
  session: StorageSession,
  repositoryId: number,
  patch: Partial<RepositoryRow> = {},
): Promise<void> {
  const where = { repository_id: repositoryId };
  const [counted] = await session.aggregate(archives, { where, measures: { rows: { count: true } } });
  await session.update(repositories, { id: repositoryId }, { ...patch, archive_count: counted?.rows ?? 0 });
}
