/** What some entries take. */
export interface CacheUsage {
  entries: number;
  /** Of their values, as they are kept. */
  bytes: number;
}

/**
 * A key-value store. Any published Keyv store adapter with an iterator fits. Values are strings or Buffers. What is
 * missing of the rest is done without, or more slowly by the iterator.
 */
export interface CacheStore {
  get(key: string): Promise<unknown>;
  /** `ttl`: milliseconds; without one the entry stays. */
  set(key: string, value: unknown, ttl?: number): unknown;
  /** Whether there was something under the key. */
  delete(key: string): Promise<boolean>;
  clear(): Promise<void>;
  has?(key: string): Promise<boolean>;
  getMany?(keys: string[]): Promise<unknown[]>;
  deleteMany?(keys: string[]): Promise<boolean>;
  disconnect?(): Promise<void>;
  /** All entries, as pairs of key and value. */
  iterator?(namespace?: string): AsyncGenerator<readonly unknown[], void>;
  /** Reports errors of the store that no call is waiting for. */
  on?(event: 'error', listener: (error: unknown) => void): unknown;
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
