import type { ArchiveList } from '@holdfast/contracts';
import { archiveView } from './archive-view.js';
import { isoTime } from '../kernel/iso-time.js';
import { currentInventory } from '../repositories/inventory/current-inventory.js';
import { findRepository, type RepositorySelector } from '../repositories/find-repository.js';
import type { ArchiveNeeds } from './find-archive.js';

/** Newest last. AppError `not_found` for the repository. */
export const listArchives = (needs: ArchiveNeeds) => {
  const inventoryOf = currentInventory(needs);
  return async (selector: RepositorySelector): Promise<ArchiveList> => {
    const { repository, archives, asOf } = await inventoryOf(await findRepository(needs.storage, selector));
    const { id, name, path } = repository;
    return {
      success: true,
      archives: archives.map(archiveView),
      repository: { id, name, path },
      as_of: isoTime(asOf),
    };
  };
};
