import type { CacheStats } from '@holdfast/contracts';
import type { Dependencies } from '../../dependencies.js';
import { shownUrl, storedCacheSettings } from './cache-choice.js';

const inMemory = 'in-memory';

/** How the cache stands at this moment: an external store is asked before anything is said of it. */
export const getCacheStats =
  ({ cacheControl, storage, settings }: Pick<Dependencies, 'cacheControl' | 'storage' | 'settings'>) =>
  async (): Promise<CacheStats> => {
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
  };
