import { isDriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext } from '../../engine/jobs/index.js';
import { inOwnTransaction } from '../../engine/jobs/index.js';
import { type Listing, rewriteInventory } from '../repositories/index.js';
import type { MaintenanceNeeds } from './needs.js';

/**
 * Updates the inventory from the tool, in a job that holds the lane exclusively. False when the tool can't
 * list the archives; the next reader then tries again. Throws DriverError `archive_unsigned`.
 */
export async function refreshInventory(
  needs: MaintenanceNeeds,
  { job, repository, toolOptions }: JobContext,
  { target, ...more }: { target: RepositoryTarget } & Pick<Listing, 'afterRepair' | 'signed'>,
): Promise<boolean> {
  const options = toolOptions();
  const askedAt = needs.clock.now();
  const listed = await needs.driver
    .listArchives(target, { checkpoints: true }, options)
    .catch((error: unknown) => {
      const expected = isDriverError(error) && error.kind !== 'archive_unsigned';
      if (options.signal?.aborted || !expected) throw error;
      return null;
    });
  if (!listed) return false;
  const listing = { archives: listed.value, askedAt, ...more };
  const recorded = await inOwnTransaction(needs.storage, job, (session) =>
    rewriteInventory(needs, repository, listing, session),
  );
  needs.events.announce(recorded);
  return true;
}
