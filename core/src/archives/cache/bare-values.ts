import { EventEmitter } from 'node:events';
import type { CacheStore } from '@holdfast/plugin-api';
import { Keyv } from 'keyv';

/** What Keyv hands to a store that it does not serialize for. */
interface Wrapped {
  value: unknown;
}

/**
 * A store as Keyv and cacheable want it, with keys and values reaching it as they are: no prefix, no JSON around the
 * bytes. The time to live is the store's own.
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
