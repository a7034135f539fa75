import type { CacheStore } from '@holdfast/plugin-api';

/** All keys of a store that start with `prefix`, with whichever method the store offers. */
export async function* keysOf(store: CacheStore, prefix: string): AsyncGenerator<string> {
  if (store.keysWith) {
    for await (const keys of store.keysWith(prefix)) yield* keys;
    return;
  }
  for await (const [key] of store.iterator?.() ?? []) {
    if (typeof key === 'string' && key.startsWith(prefix)) yield key;
  }
}
