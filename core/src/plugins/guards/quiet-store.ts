import type { CacheStore } from '../../ports/cache.js';
import { reasonOf } from '../../kernel/reason-of.js';
import type { Guarded } from './guarded.js';

/** Adapters of Keyv tell errors as events, and an event of that name that nobody hears ends the process. */
export function quietStore(store: CacheStore, { name, log }: Guarded): CacheStore {
  const { on } = store as { on?: unknown };
  if (typeof on !== 'function') return store;
  try {
    on.call(store, 'error', (error: unknown) =>
      log.debug('a cache store told an error', { plugin: name, reason: reasonOf(error) }),
    );
  } catch (error) {
    log.warn('the errors of a cache store can not be heard', { plugin: name, reason: reasonOf(error) });
  }
  return store;
}
