import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CacheStore, CacheUsage, Log } from '@holdfast/plugin-api';
import { reasonOf } from '../../../foundation/kernel/index.js';
import { keysOf } from './store-keys.js';

/** Milliseconds. */
export interface GuardTimes {
  /** A read that a request waits for. */
  read: number;
  /** A read after a failed call, as one browse reads several times. */
  doubtful: number;
  write: number;
  /** Counting or deleting all entries of a repository. */
  sweep: number;
  /** A health check. */
  check: number;
  firstProbe: number;
  maxPause: number;
}

const guardTimes: GuardTimes = {
  read: 120,
  doubtful: 15,
  write: 1_000,
  sweep: 5_000,
  check: 500,
  firstProbe: 250,
  maxPause: 4_000,
};

const allowedFailures = 3;
const probeTtl = 10_000;

export interface GuardedStoreOptions {
  store: CacheStore;
  log: Log;
  times?: Partial<GuardTimes>;
}

/**
 * Guards an external store that may be unavailable, hang, be full or lose data. Calls never reject for that and every
 * wait is limited: a value then counts as missing or not stored. After three failures in a row the store is not used
 * until a probe value could be written and read back.
 */
export class GuardedStore extends EventEmitter implements CacheStore {
  readonly opts = {};
  namespace?: string | undefined;
  readonly #times: GuardTimes;
  #inUse = false;
  #failures = 0;
  #problem: string | null = 'it has not been reached yet';
  #probe: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(private readonly options: GuardedStoreOptions) {
    super();
    this.#times = { ...guardTimes, ...options.times };
  }

  get inUse(): boolean {
    return this.#inUse;
  }

  /** Why the store is not in use, without secrets; null while it is. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Probes the store now and later as needed. Resolves to true when it is in use. */
  async begin(): Promise<boolean> {
    await this.#tryOut(this.#times.firstProbe);
    return this.#inUse;
  }

  /** Checks that the store works. A single failure is enough to stop using it. */
  async check(): Promise<void> {
    if (!this.#inUse) return;
    try {
      await this.#writeAndRead(this.#times.check);
    } catch (error) {
      this.#stopUsing(error);
    }
  }

  end(): void {
    this.#ended = true;
    this.#inUse = false;
    clearTimeout(this.#probe);
  }

  get<T>(key: string): Promise<T | undefined> {
    return this.#attempt(this.#readTime(), undefined, (store) => store.get(key) as Promise<T | undefined>);
  }

  set(key: string, value: unknown, ttl?: number): Promise<boolean> {
    return this.#attempt(this.#times.write, false, async (store) => {
      return (await store.set(key, value, ttl)) !== false;
    });
  }

  /** Null when the store is not in use, fails, or does not support this. */
  setIfAbsent(key: string, value: string | Buffer, ttl: number): Promise<boolean | null> {
    return this.#attempt(this.#readTime(), null, async (store) => {
      return (await store.setIfAbsent?.(key, value, ttl)) ?? null;
    });
  }

  delete(key: string): Promise<boolean> {
    return this.#attempt(this.#times.write, false, (store) => store.delete(key));
  }

  deleteMany(keys: string[]): Promise<boolean> {
    return this.#attempt(this.#times.write, false, async (store) => {
      if (store.deleteMany) return store.deleteMany(keys);
      return (await Promise.all(keys.map((key) => store.delete(key)))).includes(true);
    });
  }

  async clear(): Promise<void> {
    await this.#attempt(this.#times.sweep, undefined, (store) => store.clear());
  }

  /** Null when the store did not answer in time. */
  usageOf(prefix: string): Promise<CacheUsage | null> {
    return this.#attempt(this.#times.sweep, null, async (store) => (await store.usage?.(prefix)) ?? null);
  }

  /** All keys that start with `prefix`; those found so far when the store fails. */
  async allKeys(prefix: string): Promise<string[]> {
    const keys = new Set<string>();
    await this.#attempt(this.#times.sweep, undefined, async (store) => {
      for await (const key of keysOf(store, prefix)) keys.add(key);
    });
    return [...keys];
  }

  #readTime(): number {
    return this.#failures > 0 ? this.#times.doubtful : this.#times.read;
  }

  async #attempt<T>(ms: number, otherwise: T, call: (store: CacheStore) => Promise<T>): Promise<T> {
    if (!this.#inUse) return otherwise;
    try {
      const result = await withinStoreTime(ms, Promise.resolve(call(this.options.store)));
      this.#failures = 0;
      return result;
    } catch (error) {
      if (++this.#failures >= allowedFailures) this.#stopUsing(error);
      return otherwise;
    }
  }

  #stopUsing(error: unknown): void {
    this.#problem = reasonOf(error);
    if (!this.#inUse) return;
    this.#inUse = false;
    this.options.log.warn('the cache store failed: caching in memory instead', {
      reason: this.#problem,
    });
    this.#probeIn(this.#times.firstProbe);
  }

  #probeIn(pause: number): void {
    if (this.#ended) return;
    clearTimeout(this.#probe);
    this.#probe = setTimeout(() => void this.#tryOut(Math.min(this.#times.maxPause, pause * 2)), pause);
    this.#probe.unref();
  }

  async #tryOut(nextPause: number): Promise<void> {
    try {
      await this.#writeAndRead(this.#times.write);
    } catch (error) {
      this.#problem = reasonOf(error);
      this.#probeIn(nextPause);
      return;
    }
    if (this.#ended) return;
    this.#failures = 0;
    this.#problem = null;
    this.#inUse = true;
    this.options.log.info('the cache store is in use');
  }

  /** Writes too, because a full store can still be read. */
  async #writeAndRead(ms: number): Promise<void> {
    const { store } = this.options;
    const key = `holdfast:probe:${randomUUID()}`;
    await withinStoreTime(ms, Promise.resolve(store.set(key, Buffer.from(key), probeTtl)));
    const value = await withinStoreTime(ms, Promise.resolve(store.get(key)));
    if (String(value) !== key) throw new Error('it does not return what was written');
    await withinStoreTime(ms, Promise.resolve(store.delete(key)));
  }
}

class StoreTimeoutError extends Error {
  override readonly name = 'StoreTimeoutError';
}

/**
 * Rejects when the answer takes longer than `ms`. An answer that arrived while this process was busy is still
 * accepted: timers fire before it would be read.
 */
async function withinStoreTime<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    const give = async () => {
      await nextTurn();
      await nextTurn();
      reject(new StoreTimeoutError(`no answer within ${ms} ms`));
    };
    timer = setTimeout(give, ms);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}
