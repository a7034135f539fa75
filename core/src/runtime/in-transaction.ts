import pRetry from 'p-retry';
import { isStoreError } from '../errors.js';
import type { StorageBackend, StorageSession } from '../ports/storage.js';

/** A transaction that is repeated as a whole when it met another one; other errors come out at once. */
export function inTransaction<T>(
  storage: StorageBackend,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  return pRetry(() => storage.transaction(work), {
    retries: 20,
    minTimeout: 5,
    factor: 1.5,
    maxTimeout: 250,
    randomize: true,
    shouldRetry: ({ error }) => isStoreError(error, 'conflict'),
  });
}
