import { type StorageBackend, type StorageSession, StoreError } from '@holdfast/plugin-api';
import { makeMemorySession, type Tables } from './memory-session.js';

/**
 * A StorageBackend in memory for unit tests. Transactions run one after the other on a copy that replaces the
 * original at the commit; single writes wait for the running transaction; single reads see what is committed.
 */
export function memoryStorage(): StorageBackend {
  let committed: Tables = new Map();
  let tail: Promise<unknown> = Promise.resolve();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = tail.then(work);
    tail = turn.catch(() => undefined);
    return turn;
  };

  const transaction = <T>(work: (session: StorageSession) => Promise<T>): Promise<T> =>
    inTurn(async () => {
      const copy: Tables = new Map(
        [...committed].map(([name, table]) => [name, { ...table, rows: new Map(table.rows) }]),
      );
      let open = true;
      const session = makeMemorySession(copy, () => {
        if (!open) throw new StoreError('invalid', 'The transaction has ended.');
      });
      try {
        const result = await work(session);
        committed = copy;
        return result;
      } finally {
        open = false;
      }
    });

  const readCommitted = () => makeMemorySession(committed, () => undefined);
  return {
    find: async (entity, query) => readCommitted().find(entity, query),
    aggregate: async (entity, query) => readCommitted().aggregate(entity, query),
    insert: (entity, row) => transaction((session) => session.insert(entity, row)),
    update: (entity, where, patch) => transaction((session) => session.update(entity, where, patch)),
    remove: (entity, where) => transaction((session) => session.remove(entity, where)),
    transaction,
  };
}
