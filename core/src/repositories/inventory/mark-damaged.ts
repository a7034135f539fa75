import type { StorageSession } from '../../ports/storage.js';
import { archives } from '../../schema/tables.js';

/**
 * Notes which archives have files that lost content; belongs into the transaction that ends the job. `all`: every archive
 * was looked at, so that the others are whole.
 */
export async function markDamaged(
  session: StorageSession,
  repositoryId: number,
  { names, all }: { names: readonly string[]; all: boolean },
): Promise<void> {
  const where = { repository_id: repositoryId };
  if (all) await session.update(archives, { ...where, damaged: true }, { damaged: false });
  if (names.length > 0) await session.update(archives, { ...where, name: { in: names } }, { damaged: true });
}
