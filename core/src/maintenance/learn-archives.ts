import { isDriverError } from '../kernel/errors.js';
import type { RepositoryTarget } from '../ports/backup-driver.js';
import { inOwnTransaction } from '../kernel/in-own-transaction.js';
import type { JobContext } from '../jobs/job-contract.js';
import type { Dependencies } from '../dependencies.js';
import { rewriteInventory } from '../repositories/inventory/rewrite-inventory.js';

type Needs = Pick<Dependencies, 'storage' | 'events' | 'clock' | 'driver'>;

/**
 * Makes the inventory say which archives there are now, in a job that holds the repository alone. False when the tool
 * can't list them: the next reader tries again.
 */
export async function learnArchives(
  needs: Needs,
  { job, repository, toolOptions }: JobContext,
  { target, afterRepair }: { target: RepositoryTarget; afterRepair: boolean },
): Promise<boolean> {
  const options = toolOptions();
  const askedAt = needs.clock.now();
  const listed = await needs.driver
    .listArchives(target, { checkpoints: true }, options)
    .catch((error: unknown) => {
      if (options.signal?.aborted || !isDriverError(error)) throw error;
      return null;
    });
  if (!listed) return false;
  const listing = { archives: listed.value, askedAt, afterRepair };
  const learnt = await inOwnTransaction(needs.storage, job, (session) =>
    rewriteInventory(needs)(repository, listing, session),
  );
  needs.events.announce(learnt);
  return true;
}
