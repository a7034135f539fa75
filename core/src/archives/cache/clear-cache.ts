import type { CacheCleared } from '@holdfast/contracts';
import { listingKey } from '../listing/listing-format.js';
import { newEpoch } from '../../repositories/inventory/new-epoch.js';
import { repositories } from '../../schema/tables.js';
import type { Dependencies } from '../../dependencies.js';
import { findRepository } from '../../repositories/find-repository.js';

type Needs = Pick<Dependencies, 'cacheControl' | 'storage'>;

/** Clears all listings. What can't be deleted, because its store is away, is never read again all the same. */
export const clearCache =
  ({ cacheControl, storage }: Needs) =>
  async (): Promise<CacheCleared> => {
    await storage.update(repositories, {}, { cache_epoch: newEpoch() });
    return cleared(await cacheControl.drop('archive:'), 'The cache was cleared.');
  };

/** As `clearCache`, for the listings of one repository. AppError `not_found`. */
export const clearRepositoryCache =
  ({ cacheControl, storage }: Needs) =>
  async ({ repo_id }: { repo_id: number }): Promise<CacheCleared> => {
    const { id, name } = await findRepository(storage, { repository_id: repo_id });
    await storage.update(repositories, { id }, { cache_epoch: newEpoch() });
    return cleared(
      await cacheControl.drop(listingKey(id, '')),
      `The cache of repository ${name} was cleared.`,
    );
  };

const cleared = (count: number, message: string): CacheCleared => ({
  success: true,
  cleared_count: count,
  message,
});
