import pRetry from 'p-retry';
import { isStoreError } from './errors.js';
import type { StorageBackend, StorageSession } from '../ports/storage.js';

/** With a storage that lets each try wait, such as a file locked by another process, the tries come to an end, too. */
const patienceMs = 10_000;

/** A transaction that is repeated as a whole when it met another one; other errors come out at once. */
export function inTransaction<T>(
  storage: Pick<StorageBackend, 'transaction'>,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  return pRetry(() => storage.transaction(work), {
    retries: 20,
    maxRetryTime: patienceMs,
    minTimeout: 5,
    factor: 1.5,
    maxTimeout: 250,
    randomize: true,
    shouldRetry: ({ error }) => isStoreError(error, 'conflict'),
  });
}
