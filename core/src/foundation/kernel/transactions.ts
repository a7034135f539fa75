import { isStoreError, type StorageBackend, type StorageSession } from '@holdfast/plugin-api';
import pRetry from 'p-retry';
import { wrapSession, wrapStorage } from './wrap-storage.js';

/** Limits the retries on a storage where each attempt may wait, such as a file locked by another process. */
const maxRetryMs = 10_000;

/**
 * Runs a transaction and repeats it as a whole after a conflict with another one. Other errors are thrown at
 * once.
 */
export function inTransaction<T>(
  storage: Pick<StorageBackend, 'transaction'>,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  return pRetry(() => storage.transaction(work), {
    retries: 20,
    maxRetryTime: maxRetryMs,
    minTimeout: 5,
    factor: 1.5,
    maxTimeout: 250,
    randomize: true,
    shouldRetry: ({ error }) => isStoreError(error, 'conflict'),
  });
}

/** One transaction within a scope. */
interface ScopedTransaction {
  /** What the work gets instead of the session itself. */
  session: StorageSession;
  /** Called after the work and before the commit; an error rolls the transaction back. */
  complete(): Promise<void>;
  committed(): void;
}

/** What a request adds to its transactions. */
export interface StorageScope {
  /** False when the scope has nothing left to check. */
  active(): boolean;
  open(session: StorageSession): ScopedTransaction;
}

/**
 * The same storage, but writes run within the active scope of `current`, single writes as transactions of
 * their own. So use cases need not know what else their request requires.
 */
export function scopedStorage(
  storage: StorageBackend,
  current: () => StorageScope | undefined,
): StorageBackend {
  const transaction = async <T>(work: (session: StorageSession) => Promise<T>): Promise<T> => {
    const scope = current();
    if (!scope?.active()) return storage.transaction(work);
    let last: ScopedTransaction | undefined;
    const result = await storage.transaction(async (session) => {
      const scoped = scope.open(session);
      last = scoped;
      const result = await work(scoped.session);
      await scoped.complete();
      return result;
    });
    last?.committed();
    return result;
  };
  const write = <T>(work: (session: StorageSession) => Promise<T>): Promise<T> =>
    current()?.active() ? inTransaction({ transaction }, work) : work(storage);
  return wrapStorage(storage, {
    find: (entity, query) => storage.find(entity, query),
    aggregate: (entity, query) => storage.aggregate(entity, query),
    insert: (entity, row) => write((session) => session.insert(entity, row)),
    update: (entity, where, patch) => write((session) => session.update(entity, where, patch)),
    remove: (entity, where) => write((session) => session.remove(entity, where)),
    transaction,
  });
}

interface Waiting {
  /** Ends the wait. Without it, the wait lasts until the storage is available. */
  signal?: AbortSignal;
  onAway?: (error: unknown) => void;
}

/** Retries work that is safe to repeat while the storage is unavailable. Other errors are thrown at once. */
export const untilStored = <T>(work: () => Promise<T>, { signal, onAway }: Waiting = {}): Promise<T> =>
  pRetry(work, {
    retries: Number.POSITIVE_INFINITY,
    minTimeout: 100,
    maxTimeout: 2_000,
    ...(signal && { signal }),
    shouldRetry: ({ error }) => isStoreError(error) && error.retryable,
    onFailedAttempt: ({ error }) => onAway?.(error),
  });

/**
 * The storage as running jobs read it: reads wait while it is unavailable, so that a short outage of the
 * database costs no backup. A job that loses its lease while waiting finds out before its tool starts, and
 * with each write.
 */
export const patientReads = (storage: StorageBackend): StorageBackend => ({
  ...wrapSession(storage, (run, method) =>
    method === 'find' || method === 'aggregate' ? untilStored(run) : run(),
  ),
  transaction: (work) => storage.transaction(work),
  ...(storage.copies && { copies: storage.copies }),
});
