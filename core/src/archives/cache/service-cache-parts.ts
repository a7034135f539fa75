import type { CacheStore } from '../../ports/cache.js';
import type { Log } from '../../ports/services.js';

/** A store that was opened for the service's cache, and how to let go of it. */
export interface OpenedStore {
  store: CacheStore;
  /** Null when it works, else one sentence without secrets. */
  health(): Promise<string | null>;
  close(): Promise<void>;
}

export interface ServiceCacheParts {
  /** Its `maxSizeMb` is the one of the first choice. */
  memory: CacheStore;
  openMemory(maxSizeMb: number): Promise<OpenedStore>;
  /** Rejects with a PluginError for a URL that can't be used. */
  openExternal(url: string): Promise<OpenedStore>;
  log: Log;
}
