import type { KeyvStoreAdapter } from 'keyv';

/** Any published Keyv store adapter with an iterator fits. Values are strings or Buffers. */
export type CacheStore = KeyvStoreAdapter;
