import type { KeyvStoreAdapter } from 'keyv';

/** What some entries take. */
export interface CacheUsage {
  entries: number;
  /** Of their values, as they are kept. */
  bytes: number;
}

/**
 * Any published Keyv store adapter with an iterator fits. Values are strings or Buffers. What is missing of the rest
 * is done without, or more slowly by the iterator.
 */
export interface CacheStore extends KeyvStoreAdapter {
  /** All keys that begin so, in batches; one may come twice. */
  keysWith?(prefix: string): AsyncIterable<string[]>;
  /** What the entries take whose keys begin so. */
  usage?(prefix: string): Promise<CacheUsage>;
  /**
   * True when there was nothing under the key, and this is there now; atomic among all who use the store. Null when
   * nobody can tell.
   */
  setIfAbsent?(key: string, value: string | Buffer, ttl: number): Promise<boolean | null>;
}
