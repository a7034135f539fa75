import type { CacheCleared, CacheStats } from '@holdfast/contracts';
import { useCasesOf } from '../../foundation/kernel/index.js';
import { findRepository, newEpoch, noteRepository } from '../repositories/index.js';
import type { Dropped } from './cache/cache-control.js';
import {
  getCacheSettings,
  shownUrl,
  storedCacheSettings,
  updateCacheSettings,
} from './cache/cache-settings.js';
import { listingKey } from './listing/listing-format.js';
import type { ArchivesNeeds } from './needs.js';

export const cacheUseCases = (dependencies: ArchivesNeeds) =>
  useCasesOf(dependencies, {
    getCacheStats,
    clearCache,
    clearRepositoryCache,
    getCacheSettings,
    updateCacheSettings,
  });

/** Clears all listings. Entries that can't be deleted, because their store is unavailable, become void. */
async function clearCache({ cacheControl, storage }: ArchivesNeeds): Promise<CacheCleared> {
  await noteRepository(storage, null, { cache_epoch: newEpoch() });
  return cleared(await cacheControl.drop('archive:'), 'The cache was cleared.');
}

/** Like `clearCache`, for the listings of one repository. Throws AppError `not_found`. */
async function clearRepositoryCache(
  { cacheControl, storage }: ArchivesNeeds,
  { repo_id }: { repo_id: number },
): Promise<CacheCleared> {
  const { id, name } = await findRepository(storage, { repository_id: repo_id });
  await noteRepository(storage, id, { cache_epoch: newEpoch() });
  return cleared(await cacheControl.drop(listingKey(id, '')), `The cache of repository ${name} was cleared.`);
}

const cleared = ({ count, problem }: Dropped, message: string): CacheCleared => ({
  success: true,
  cleared_count: count,
  message: problem
    ? `${message} What is in the external cache stays until it expires, and is not read any more: ${problem}.`
    : message,
});

const inMemory = 'in-memory';

/** The current state of the cache. An external store is checked first. */
async function getCacheStats({ cacheControl, storage, settings }: ArchivesNeeds): Promise<CacheStats> {
  const { inUse, problem, hits, misses, usage } = await cacheControl.status();
  const { url, enabled, ttlSeconds, maxSizeMb } = cacheControl.choice;
  const external = inUse === 'external';
  const stored = await storedCacheSettings(storage);
  const fromUrl = stored.url !== undefined || settings.cacheConnection === 'external_url';
  const asked = hits + misses;
  return {
    backend: external ? (url?.startsWith('plugin:') ? 'plugin' : 'redis') : inMemory,
    available: true,
    connection_type: external ? (fromUrl ? 'external_url' : 'local') : inMemory,
    connection_info: external ? (shownUrl(url) ?? '') : 'the memory of this process',
    hits,
    misses,
    hit_rate: asked === 0 ? 0 : Math.round((hits / asked) * 10_000) / 100,
    size_bytes: usage.bytes,
    entry_count: usage.entries,
    ttl_seconds: ttlSeconds,
    max_size_mb: maxSizeMb,
    redis_fallback: url !== null && enabled && !external,
    problem,
  };
}
