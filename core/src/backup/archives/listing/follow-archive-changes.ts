import type { CacheStore, Log, StorageBackend } from '@holdfast/plugin-api';
import type { EventBus, EventKind, EventRow } from '../../../foundation/events/index.js';
import { newEpoch, noteRepository } from '../../repositories/index.js';
import { keysOf } from '../cache/store-keys.js';
import { listingKey } from './listing-format.js';

interface Needs {
  events: Pick<EventBus, 'follow'>;
  cache: CacheStore;
  storage: Pick<StorageBackend, 'update'>;
  log: Log;
}

const kinds: EventKind[] = ['archives_changed', 'repository_updated', 'repository_deleted'];

/**
 * Drops listings from the cache when their archive was removed, and all listings of a changed or removed
 * repository. Correctness does not depend on it: a listing is never served for another archive with the same
 * name, and listings of a changed repository are no longer used. Returns a function that stops it.
 */
export const followArchiveChanges = ({ events, cache, storage, log }: Needs): (() => void) =>
  events.follow(kinds, async (event) => {
    try {
      if (event.kind === 'repository_updated' && event.repository_id !== null) {
        await noteRepository(storage, event.repository_id, { cache_epoch: newEpoch() });
      }
      await dropKeys(cache, outdatedBy(event));
    } catch (error) {
      log.warn('outdated listings stay in the cache until they expire', { error });
    }
  });

function outdatedBy({ kind, repository_id, data }: EventRow): (key: string) => boolean {
  if (repository_id === null) return () => false;
  if (kind !== 'archives_changed') {
    const prefix = listingKey(repository_id, '');
    return (key) => key.startsWith(prefix);
  }
  const removed = Array.isArray(data.removed) ? data.removed.map(String) : [];
  const headers = removed.map((name) => listingKey(repository_id, name));
  return (key) => headers.some((header) => key === header || key.startsWith(`${header}/`));
}

async function dropKeys(cache: CacheStore, outdated: (key: string) => boolean): Promise<void> {
  const keys: string[] = [];
  for await (const key of keysOf(cache, 'archive:')) if (outdated(key)) keys.push(key);
  for (const key of keys) await cache.delete(key);
}
