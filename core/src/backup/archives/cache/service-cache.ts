import { EventEmitter } from 'node:events';
import type { CacheStore, CacheUsage, Log } from '@holdfast/plugin-api';
import { Cacheable } from 'cacheable';
import { inTurn } from '../../../foundation/kernel/index.js';
import { keyvOver } from './bare-values.js';
import type { CacheChoice, CacheControl, CacheStatus, Dropped } from './cache-control.js';
import { GuardedStore } from './guarded-store.js';
import { keysOf } from './store-keys.js';

interface External {
  opened: OpenedStore;
  guard: GuardedStore;
}

const listingPrefix = 'archive:';
const batchSize = 500;

/**
 * The cache of the service: the memory of this process in front of an external store, if one works. It never rejects
 * because of a store and can be reconfigured while in use.
 */
export class ServiceCache extends EventEmitter implements CacheStore, CacheControl {
  readonly opts = {};
  readonly #inTurn = inTurn();
  #memory: CacheStore;
  #openedMemory: OpenedStore | null = null;
  #external: External | null = null;
  #tiers: Cacheable;
  #choice: CacheChoice;
  #hits = 0;
  #misses = 0;

  constructor(
    private readonly parts: ServiceCacheParts,
    choice: CacheChoice,
  ) {
    super();
    this.#memory = parts.memory;
    this.#choice = { ...choice, url: null };
    this.#tiers = this.#makeTiers();
  }

  get choice(): CacheChoice {
    return this.#choice;
  }

  begin(choice: CacheChoice): Promise<void> {
    return this.#inTurn(async () => {
      await this.#change(choice);
      // Not awaited: a store that is unavailable must not delay the start.
      void this.#external?.guard.begin();
    });
  }

  apply(choice: CacheChoice): Promise<string | null> {
    return this.#inTurn(() => this.#apply(choice));
  }

  async #apply(choice: CacheChoice): Promise<string | null> {
    if (choice.url !== null && choice.enabled && choice.url !== this.#urlInUse()) {
      const opened = await this.parts.openExternal(choice.url);
      const problem = await opened.health();
      if (problem !== null) {
        await opened.close();
        return problem;
      }
      await this.#change(choice, opened);
    } else {
      await this.#change(choice);
    }
    await this.#external?.guard.begin();
    return null;
  }

  async end(): Promise<void> {
    const external = this.#external;
    this.#external = null;
    external?.guard.end();
    await external?.opened.close();
    await this.#openedMemory?.close();
  }

  async status(): Promise<CacheStatus> {
    await this.#external?.guard.check();
    const guard = this.#external?.guard;
    const counts = { hits: this.#hits, misses: this.#misses };
    const usage = guard?.inUse ? await guard.usageOf(listingPrefix) : null;
    if (guard?.inUse) return { ...counts, inUse: 'external', problem: null, usage: usage ?? noUsage };
    return { ...counts, inUse: 'memory', problem: guard?.problem ?? null, usage: await this.#memoryUsage() };
  }

  async get<T>(key: string): Promise<T | undefined> {
    const value = await this.#tiers.get<T>(key);
    if (value === undefined) this.#misses++;
    else this.#hits++;
    return value;
  }

  /** True when at least one store holds the value. */
  async set(key: string, value: unknown, ttl?: number): Promise<boolean> {
    return (await this.#tiers.set(key, value, ttl)) || (this.#external?.guard.inUse ?? false);
  }

  /** Uses the shared store; null when there is none. */
  async setIfAbsent(key: string, value: string | Buffer, ttl: number): Promise<boolean | null> {
    return (await this.#external?.guard.setIfAbsent(key, value, ttl)) ?? null;
  }

  delete(key: string): Promise<boolean> {
    return this.#tiers.delete(key);
  }

  async deleteMany(keys: string[]): Promise<boolean> {
    for (let from = 0; from < keys.length; from += batchSize) {
      await this.#tiers.deleteMany(keys.slice(from, from + batchSize));
    }
    return keys.length > 0;
  }

  async clear(): Promise<void> {
    await this.drop(listingPrefix);
  }

  async *keysWith(prefix: string): AsyncGenerator<string[]> {
    const keys = new Set(await this.#external?.guard.allKeys(prefix));
    for await (const key of keysOf(this.#memory, prefix)) keys.add(key);
    yield [...keys];
  }

  async drop(prefix: string): Promise<Dropped> {
    const guard = this.#external?.guard;
    await guard?.check();
    let count = 0;
    for await (const keys of this.keysWith(prefix)) {
      await this.deleteMany(keys);
      count += keys.length;
    }
    return { count, problem: guard?.problem ?? null };
  }

  async #change(choice: CacheChoice, opened?: OpenedStore): Promise<void> {
    if (choice.maxSizeMb !== this.#choice.maxSizeMb) await this.#changeMemory(choice.maxSizeMb);
    const former = this.#external;
    const wanted = choice.enabled ? choice.url : null;
    if (wanted === null) this.#external = null;
    else if (opened || wanted !== this.#urlInUse()) {
      const external = opened ?? (await this.parts.openExternal(wanted));
      const guard = new GuardedStore({ store: external.store, log: this.parts.log });
      this.#external = { opened: external, guard };
    }
    this.#choice = choice;
    this.#tiers = this.#makeTiers();
    if (former && former !== this.#external) {
      former.guard.end();
      await former.opened.close();
    }
  }

  async #changeMemory(maxSizeMb: number): Promise<void> {
    const opened = await this.parts.openMemory(maxSizeMb);
    const former = this.#openedMemory;
    await this.#memory.clear();
    this.#memory = opened.store;
    this.#openedMemory = opened;
    await former?.close();
  }

  #makeTiers(): Cacheable {
    const tiers = new Cacheable({
      primary: keyvOver(this.#memory),
      ...(this.#external && { secondary: keyvOver(this.#external.guard) }),
      ttl: this.#choice.ttlSeconds * 1000,
    });
    tiers.on('error', (error: unknown) => this.parts.log.warn('the cache failed', { error }));
    return tiers;
  }

  #urlInUse(): string | null {
    return this.#external ? this.#choice.url : null;
  }

  async #memoryUsage(): Promise<CacheUsage> {
    return (await this.#memory.usage?.(listingPrefix)) ?? noUsage;
  }
}

const noUsage: CacheUsage = { entries: 0, bytes: 0 };

/** A store that was opened for the cache of the service. */
export interface OpenedStore {
  store: CacheStore;
  /** Null when healthy, else one sentence without secrets. */
  health(): Promise<string | null>;
  close(): Promise<void>;
}

export interface ServiceCacheParts {
  /** Created with the `maxSizeMb` of the first settings. */
  memory: CacheStore;
  openMemory(maxSizeMb: number): Promise<OpenedStore>;
  /** Rejects with a PluginError for a URL that can't be used. */
  openExternal(url: string): Promise<OpenedStore>;
  log: Log;
}
