import { EventEmitter } from 'node:events';
import type { CacheStore } from '@holdfast/plugin-api';
import { Keyv } from 'keyv';

/** What Keyv passes to a store when it does not serialize. */
interface Wrapped {
  value: unknown;
}

/**
 * Adapts a store for Keyv and cacheable. Keys and values are passed unchanged, without prefix or JSON. The store
 * applies the TTL.
 */
export const keyvOver = (store: CacheStore): Keyv =>
  new Keyv({
    store: new BareValues(store),
    namespace: undefined,
    useKeyPrefix: false,
    serialize: undefined,
    deserialize: undefined,
    throwOnErrors: true,
  });

class BareValues extends EventEmitter {
  readonly opts = {};

  constructor(private readonly store: CacheStore) {
    super();
  }

  async get(key: string): Promise<Wrapped | undefined> {
    const value = await this.store.get(key);
    return value === undefined || value === null ? undefined : { value };
  }

  async set(key: string, { value }: Wrapped, ttl?: number): Promise<boolean> {
    return (await this.store.set(key, value, ttl)) !== false;
  }

  delete(key: string): Promise<boolean> {
    return this.store.delete(key);
  }

  async deleteMany(keys: string[]): Promise<boolean> {
    if (this.store.deleteMany) return this.store.deleteMany(keys);
    return (await Promise.all(keys.map((key) => this.store.delete(key)))).includes(true);
  }

  clear(): Promise<void> {
    return this.store.clear();
  }
}
