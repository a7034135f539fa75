import type { RestoreOrder } from './restore.rules.js';
import { conflict, notFound } from '../kernel/errors.js';
import type { OperationOptions, RepositoryTarget } from '../ports/backup-driver.js';
import { repositories } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { rewriteInventory } from '../repositories/inventory/rewrite-inventory.js';

type Needs = Pick<Dependencies, 'driver' | 'storage' | 'events' | 'clock'>;

interface Asked {
  order: RestoreOrder;
  target: RepositoryTarget;
  options: OperationOptions;
}

/**
 * Puts the tool's id of the archive into the order, as it is now: a repair outside of the service makes archives anew,
 * which the inventory learns then. True when it is not the one that was known. AppError `not_found`, or `conflict` for
 * another archive under the name.
 */
export async function followArchive(needs: Needs, { order, target, options }: Asked): Promise<boolean> {
  const askedAt = needs.clock.now();
  const { value: archives } = await needs.driver.listArchives(target, { checkpoints: true }, options);
  const found = archives.find(({ name }) => name === order.archive);
  if (found?.id === order.archiveId) return false;
  const where = { id: order.repositoryId };
  const [repository] = await needs.storage.find(repositories, { where, limit: 1 });
  if (repository) await rewriteInventory(needs)(repository, { archives, askedAt });
  if (!found) throw notFound(`Archive ${order.archive} is not in the repository any more.`);
  const { start, comment } = order.archiveMade ?? {};
  if (found.start !== start || found.comment !== comment) {
    throw conflict(`Another archive has the name ${order.archive} by now: look at it, and ask again.`);
  }
  order.archiveId = found.id;
  return true;
}
