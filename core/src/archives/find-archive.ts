import { isDriverError, notFound } from '../kernel/errors.js';
import type { ArchiveRow, RepositoryRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { currentArchive } from '../repositories/inventory/current-inventory.js';
import { refreshInventory } from '../repositories/inventory/refresh-inventory.js';
import { findRepository, type RepositorySelector } from '../repositories/find-repository.js';
import { toolFailure } from './tool-failure.js';

export type ArchiveNeeds = Pick<
  Dependencies,
  'storage' | 'events' | 'clock' | 'driver' | 'secrets' | 'redactor' | 'lanes' | 'log'
>;

export interface ArchiveSelector extends RepositorySelector {
  /** The archive's name; 64 hex digits that are no name are taken as the tool's id. */
  archive: string;
}

export interface FoundArchive {
  repository: RepositoryRow;
  archive: ArchiveRow;
}

/** Rows younger than this are believed when they don't have an archive. */
const sureForMs = 5_000;

/** An archive of the inventory, which is read anew where that is possible at once before the answer is 404. */
export const findArchive = (needs: ArchiveNeeds) => {
  const look = currentArchive(needs);
  const refresh = refreshInventory(needs);

  return async ({ archive, ...selector }: ArchiveSelector): Promise<FoundArchive> => {
    const repository = await findRepository(needs.storage, selector);
    let found = await look(repository, archive);
    if (!found.archive && needs.clock.now() - (found.asOf ?? 0) > sureForMs) {
      await refreshNow(needs, repository, () => refresh(repository));
      found = await look(await findRepository(needs.storage, selector), archive);
    }
    if (!found.archive) {
      throw notFound(`Repository ${repository.name} has no archive ${archive}: see GET /api/archives/list.`);
    }
    return { repository: found.repository, archive: found.archive };
  };
};

/** A lane that is busy leaves the rows as they are; a tool that fails is told, for then nothing is known. */
async function refreshNow(needs: ArchiveNeeds, repository: RepositoryRow, refresh: () => Promise<void>) {
  try {
    await needs.lanes.withLane(repository.id, 'archive list', refresh, 0);
  } catch (error) {
    if (isDriverError(error) && !isDriverError(error, 'locked')) throw toolFailure(error);
    needs.log.info('the archive list could not be read anew', { repository: repository.id, error });
  }
}
