/** The size of a set of entries. */
export interface CacheUsage {
  entries: number;
  /** Total size of their values as stored. */
  bytes: number;
}

/**
 * A key-value store. Any published Keyv store adapter with an iterator fits. Values are strings or Buffers. Missing
 * optional methods are replaced by the iterator, which is slower, or not used.
 */
export interface CacheStore {
  get(key: string): Promise<unknown>;
  /** `ttl`: milliseconds; without one the entry stays. */
  set(key: string, value: unknown, ttl?: number): unknown;
  /** Whether the key existed. */
  delete(key: string): Promise<boolean>;
  clear(): Promise<void>;
  has?(key: string): Promise<boolean>;
  getMany?(keys: string[]): Promise<unknown[]>;
  deleteMany?(keys: string[]): Promise<boolean>;
  disconnect?(): Promise<void>;
  /** All entries, as pairs of key and value. */
  iterator?(namespace?: string): AsyncGenerator<readonly unknown[], void>;
  /** Reports errors of the store outside of any call. */
  on?(event: 'error', listener: (error: unknown) => void): unknown;
  /** All keys with this prefix, in batches. A key may appear twice. */
  keysWith?(prefix: string): AsyncIterable<string[]>;
  /** The size of all entries whose keys have this prefix. */
  usage?(prefix: string): Promise<CacheUsage>;
  /**
   * Stores the value if the key is absent; atomic among all users of the store. True if it was stored. Null if the
   * store can't tell.
   */
  setIfAbsent?(key: string, value: string | Buffer, ttl: number): Promise<boolean | null>;
}
