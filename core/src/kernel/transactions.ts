import { isStoreError, type StorageBackend, type StorageSession } from '@holdfast/plugin-api';
import pRetry from 'p-retry';

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

/** One transaction under the eyes of a scope. */
export interface ScopedTransaction {
  /** What the work gets instead of the session itself. */
  session: StorageSession;
  /** After the work and before the commit; what it throws undoes the transaction. */
  complete(): Promise<void>;
  committed(): void;
}

/** What a request adds to the transactions that are made for it. */
export interface StorageScope {
  /** False when there is nothing more to look at. */
  active(): boolean;
  open(session: StorageSession): ScopedTransaction;
}

/**
 * The same storage; what is written while `current` has an active scope is written under it, single writes as
 * transactions of their own. So a use case need not know what its request asks beside.
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
    current()?.active() ? inTransaction(scoped, work) : work(storage);
  const scoped: StorageBackend = {
    find: (entity, query) => storage.find(entity, query),
    aggregate: (entity, query) => storage.aggregate(entity, query),
    insert: (entity, row) => write((session) => session.insert(entity, row)),
    update: (entity, where, patch) => write((session) => session.update(entity, where, patch)),
    remove: (entity, where) => write((session) => session.remove(entity, where)),
    transaction,
  };
  return Object.assign(scoped, storage.mark && { mark: storage.mark.bind(storage) });
}

interface Waiting {
  /** Ends the waiting; without, it goes on for as long as the storage is away. */
  signal?: AbortSignal;
  onAway?: (error: unknown) => void;
}

/** Repeats what is safe to repeat while the storage is away; other errors come out at once. */
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
 * The storage as the work of jobs reads it: while it is away they wait, so that a database that comes back in time
 * costs no backup. A job that lost its lease meanwhile is told so before its tool begins, and with each write.
 */
export const patientReads = (storage: StorageBackend): StorageBackend => ({
  find: (entity, query) => untilStored(() => storage.find(entity, query)),
  aggregate: (entity, query) => untilStored(() => storage.aggregate(entity, query)),
  insert: (entity, row) => storage.insert(entity, row),
  update: (entity, where, patch) => storage.update(entity, where, patch),
  remove: (entity, where) => storage.remove(entity, where),
  transaction: (work) => storage.transaction(work),
});
