import { EventEmitter } from 'node:events';
import type { CacheStore, CacheUsage, Clock } from '@holdfast/plugin-api';
import { LRUCache } from 'lru-cache';

/** Overhead of an entry in bytes, beside key and value: nodes of the list and of the map, and its times. */
const entryOverheadBytes = 256;
const sweepEveryMs = 60_000;

type Value = string | Buffer;

export interface MemoryCacheOptions {
  maxBytes: number;
  clock: Clock;
}

/**
 * A Keyv store in this process. Holds at most `maxBytes` of keys and values and evicts the least recently used
 * entries. Takes strings and Buffers. An entry that alone is too large is not stored, and `set` returns false.
 */
export class MemoryCache extends EventEmitter implements CacheStore {
  readonly opts: { url: string; maxBytes: number };
  namespace?: string | undefined;
  readonly #entries: LRUCache<string, Value>;
  #sweep: NodeJS.Timeout | undefined;

  constructor({ maxBytes, clock }: MemoryCacheOptions) {
    super();
    this.opts = { url: 'memory:', maxBytes };
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: bytesOf,
      ttlResolution: 0,
      perf: clock,
    });
  }

  /** Every minute, removes expired entries that nobody reads. */
  async start(): Promise<void> {
    this.#sweep = setInterval(() => this.#entries.purgeStale(), sweepEveryMs);
    this.#sweep.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweep);
    this.#entries.clear();
  }

  async get<T>(key: string): Promise<T | undefined> {
    return this.#entries.get(key) as T | undefined;
  }

  async getMany<T>(keys: string[]): Promise<(T | undefined)[]> {
    return keys.map((key) => this.#entries.get(key) as T | undefined);
  }

  /** `ttl` in milliseconds; none or 0: until evicted. False if it was not stored. */
  async set(key: string, value: unknown, ttl?: number): Promise<boolean> {
    if (typeof value !== 'string' && !(value instanceof Uint8Array)) {
      throw new TypeError('This cache accepts only strings and Buffers.');
    }
    this.#entries.set(key, typeof value === 'string' ? value : ownCopy(value), ttl ? { ttl } : {});
    return this.#entries.has(key);
  }

  async setMany(entries: { key: string; value: unknown; ttl?: number }[]): Promise<void> {
    for (const { key, value, ttl } of entries) await this.set(key, value, ttl);
  }

  async has(key: string): Promise<boolean> {
    return this.#entries.has(key);
  }

  async hasMany(keys: string[]): Promise<boolean[]> {
    return keys.map((key) => this.#entries.has(key));
  }

  async delete(key: string): Promise<boolean> {
    return this.#entries.delete(key);
  }

  /** True if at least one of them existed. */
  async deleteMany(keys: string[]): Promise<boolean> {
    return keys.map((key) => this.#entries.delete(key)).includes(true);
  }

  async clear(): Promise<void> {
    this.#entries.clear();
  }

  /** The entries that existed at the start, without those removed since. Does not count as use. */
  async *iterator<T>(namespace?: string): AsyncGenerator<(string | Awaited<T> | undefined)[], void> {
    const prefix = namespace ? `${namespace}:` : '';
    for (const key of [...this.#entries.keys()]) {
      if (!key.startsWith(prefix)) continue;
      const value = this.#entries.peek(key);
      if (value !== undefined) yield [key, value as Awaited<T>];
    }
  }

  async setIfAbsent(key: string, value: Value, ttl: number): Promise<boolean> {
    return !this.#entries.has(key) && this.set(key, value, ttl);
  }

  /** All keys that exist at the time of the call. */
  async *keysWith(prefix: string): AsyncGenerator<string[]> {
    yield [...this.#entries.keys()].filter((key) => key.startsWith(prefix));
  }

  async usage(prefix: string): Promise<CacheUsage> {
    const usage = { entries: 0, bytes: 0 };
    for (const [key, value] of this.#entries.entries()) {
      if (!key.startsWith(prefix)) continue;
      usage.entries++;
      usage.bytes += value.length;
    }
    return usage;
  }

  async disconnect(): Promise<void> {}
}

/** A string takes one or two bytes per character: counted as two. */
const bytesOf = (value: Value, key: string): number =>
  entryOverheadBytes + 2 * key.length + (typeof value === 'string' ? 2 * value.length : value.length);

/** An exact copy: the caller may reuse its Buffer, and a slice would keep its whole source alive. */
function ownCopy(value: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(value.length);
  copy.set(value);
  return copy;
}
