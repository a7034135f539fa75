import { isStoreError, type StorageBackend, type StorageSession, StoreError } from '@holdfast/plugin-api';
import { inTransaction } from './transactions.js';
import { wrapSession } from './wrap-storage.js';

/** Ends all work of the transaction at once: repeating a part of it would not help. */
class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Runs work on a storage whose transactions all are one: all that it calls is written together, or not at all. */
export const inOneTransaction = <T>(
  storage: StorageBackend,
  work: (joined: StorageBackend) => Promise<T>,
): Promise<T> =>
  inTransaction(storage, (session) =>
    work(joinedTo(session)).catch((error: unknown) => {
      if (error instanceof Interrupted)
        throw new StoreError('conflict', error.message, { cause: error.cause });
      throw error;
    }),
  );

const joinedTo = (session: StorageSession): StorageBackend => ({
  ...wrapSession(session, (run) => run()),
  async transaction(work) {
    try {
      return await work(session);
    } catch (error) {
      if (!isStoreError(error, 'conflict')) throw error;
      throw new Interrupted('Another transaction changed the same data.', { cause: error });
    }
  },
});
