import { isDriverError, notFound } from '../../errors.js';
import type { ArchiveRow, RepositoryRow } from '../../schema/tables.js';
import { archives, repositories } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { refuseChangedHostKey } from '../ssh/refuse-changed-host-key.js';
import { refreshInventory } from './refresh-inventory.js';

export interface Inventory {
  repository: RepositoryRow;
  /** Oldest first. */
  archives: ArchiveRow[];
  /** When the tool's list was read last; null when it never could be. Milliseconds. */
  asOf: number | null;
}

type Needs = Pick<
  Dependencies,
  'storage' | 'events' | 'clock' | 'driver' | 'secrets' | 'redactor' | 'lanes' | 'log'
>;

const freshForMs = 60_000;

/**
 * The archives of a repository for a request that reads: the rows at once while they are younger than a
 * minute or the lane is busy, else listed anew. A tool that can't list now is no error: `asOf` tells how
 * old the rows are. Readers of one process share one listing; after a failure the tool is left alone for a
 * minute.
 */
export const currentInventory = (needs: Needs) => {
  const refresh = refreshInventory(needs);
  const running = new Map<number, Promise<void>>();
  const failedAt = new Map<number, number>();

  const list = async (repository: RepositoryRow): Promise<void> => {
    try {
      await needs.lanes.withLane(repository.id, 'archive list', () => refresh(repository), 0);
      failedAt.delete(repository.id);
    } catch (error) {
      if (isDriverError(error)) failedAt.set(repository.id, needs.clock.now());
      needs.log.info('the archive list is served as last seen', { repository: repository.id, error });
    }
  };

  const shared = (repository: RepositoryRow): Promise<void> => {
    const known = running.get(repository.id);
    if (known) return known;
    const listing = list(repository).finally(() => running.delete(repository.id));
    running.set(repository.id, listing);
    return listing;
  };

  const isDue = ({ id, inventory_at }: RepositoryRow): boolean => {
    const last = Math.max(inventory_at ?? 0, failedAt.get(id) ?? 0);
    return needs.clock.now() - last >= freshForMs;
  };

  return async (repository: RepositoryRow): Promise<Inventory> => {
    if (isDue(repository)) await shared(repository);
    // What was seen before says nothing of a host that may be another by now.
    await refuseChangedHostKey(needs.storage, repository);
    return readInventory(needs, repository.id);
  };
};

async function readInventory({ storage }: Needs, id: number): Promise<Inventory> {
  const [repository] = await storage.find(repositories, { where: { id }, limit: 1 });
  if (!repository) throw notFound(`There is no repository ${id} any more.`);
  const rows = await storage.find(archives, {
    where: { repository_id: id },
    order: [
      ['start', 'asc'],
      ['id', 'asc'],
    ],
  });
  return { repository, archives: rows, asOf: repository.inventory_at };
}
