import type { Dependencies } from '../dependencies.js';
import { getCacheSettings, updateCacheSettings } from './cache/cache-settings.js';
import { clearCache, clearRepositoryCache } from './cache/clear-cache.js';
import { getCacheStats } from './cache/get-cache-stats.js';

export const cacheUseCases = (dependencies: Dependencies) => ({
  getCacheStats: getCacheStats(dependencies),
  clearCache: clearCache(dependencies),
  clearRepositoryCache: clearRepositoryCache(dependencies),
  getCacheSettings: getCacheSettings(dependencies),
  updateCacheSettings: updateCacheSettings(dependencies),
});
