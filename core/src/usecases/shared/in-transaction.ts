import pRetry from 'p-retry';
import { isStoreError } from '../../errors.js';
import type { StorageBackend, StorageSession } from '../../ports/storage.js';

/** Runs `work` as one transaction, again from the start when it met another one. `work` may run several times. */
export function inTransaction<T>(
  storage: StorageBackend,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  return pRetry(() => storage.transaction(work), {
    retries: 5,
    minTimeout: 10,
    randomize: true,
    shouldRetry: ({ error }) => isStoreError(error, 'conflict'),
  });
}
