import type { StorageBackend, StorageSession } from '../ports/storage.js';
import { inTransaction } from './in-transaction.js';

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
