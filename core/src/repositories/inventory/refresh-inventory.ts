import { type RepositoryRow, repositories } from '../../schema/tables.js';
import type { Dependencies } from '../../dependencies.js';
import { openTarget } from '../open-target.js';
import { rewriteInventory } from './rewrite-inventory.js';

export interface RefreshOptions {
  /** Asks for the stored size also when it is known; it is always asked for when it isn't. */
  withSize?: boolean;
}

/**
 * Lists the archives through the tool and makes the inventory say so. The caller holds the repository's lane.
 * Rejects with a DriverError; then the inventory is as it was.
 */
export const refreshInventory =
  (needs: Pick<Dependencies, 'storage' | 'events' | 'clock' | 'driver' | 'secrets' | 'redactor'>) =>
  async (repository: RepositoryRow, { withSize = false }: RefreshOptions = {}): Promise<void> => {
    const { storage, clock, driver } = needs;
    const { target, release } = openTarget(needs)(repository);
    const options = { bypassLock: repository.bypass_lock };
    try {
      const askedAt = clock.now();
      const listed = await driver.listArchives(target, { checkpoints: true }, options);
      await rewriteInventory(needs)(repository, { archives: listed.value, askedAt });
      if (!withSize && repository.stored_size !== null) return;
      const { value } = await driver.open(target, {}, options);
      await storage.update(repositories, { id: repository.id }, { stored_size: value.storedSize });
    } finally {
      release();
    }
  };
