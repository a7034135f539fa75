import type { StorageSession } from '../../ports/storage.js';
import { archives } from '../../schema/tables.js';
import { recount } from './recount.js';

/**
 * Takes archives that a job of ours deleted out of the inventory; belongs into the transaction that ends
 * the job. Safe to repeat. The job's handler reports `archives_changed`. Returns how many rows went.
 */
export async function removeArchives(
  session: StorageSession,
  repositoryId: number,
  names: readonly string[],
): Promise<number> {
  if (names.length === 0) return 0;
  const removed = await session.remove(archives, { repository_id: repositoryId, name: { in: names } });
  await recount(session, repositoryId);
  return removed;
}
