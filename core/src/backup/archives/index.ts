/** Lists, browses, searches, compares, downloads and deletes archives, and caches their listings. */

export { baseNameOf, joinPath, parentOf, parseArchivePath } from './archive-path.rules.js';
export { type ArchiveNeeds, findArchive, readStoredSize } from './archives.js';
export { warmListings } from './browse.js';
export type { CacheChoice, CacheControl } from './cache/cache-control.js';
export {
  cacheUrlPurpose,
  currentCacheChoice,
  followCacheSettings,
  getCacheSettings,
  storedCacheSettings,
} from './cache/cache-settings.js';
export { ServiceCache } from './cache/service-cache.js';
export { cacheUseCases } from './cache-use-cases.js';
export { archiveDeletionHandler, deletionJobFacts } from './deletion.js';
export { makeGlob } from './glob.rules.js';
export { ArchiveListings } from './listing/archive-listings.js';
export { sweepListingBuilds } from './listing/build-listing.fs.js';
export { followArchiveChanges } from './listing/follow-archive-changes.js';
export { type MeasureWorker, makeMeasureWorker } from './measure-archives.js';
export { type IndexWorker, makeIndexWorker } from './memory/index-worker.js';
export { lostFiles } from './memory/lost-files.js';
export { rememberArchive, whyNot } from './memory/remember.js';
export { readWithTool } from './read-with-tool.js';
export { toolFailure } from './tool-failure.js';
export { archivesUseCases } from './use-cases.js';
