import type { Dependencies } from '../dependencies.js';
import { getCacheSettings, updateCacheSettings } from './cache-settings.js';
import { clearCache, clearRepositoryCache } from './clear-cache.js';
import { getCacheStats } from './get-cache-stats.js';

export const cacheUseCases = (dependencies: Dependencies) => ({
  getCacheStats: getCacheStats(dependencies),
  clearCache: clearCache(dependencies),
  clearRepositoryCache: clearRepositoryCache(dependencies),
  getCacheSettings: getCacheSettings(dependencies),
  updateCacheSettings: updateCacheSettings(dependencies),
});
