import { isStoreError, StoreError } from '../../kernel/errors.js';
import type { StorageBackend, StorageSession } from '../../ports/storage.js';
import type { Guarded } from './guarded.js';
import { StorageCalls } from './storage-calls.js';

/** How long the service waits, in milliseconds; what is late may have been done all the same. */
export const storageTimes = { operation: 60_000, transaction: 120_000 };

/** Every failure is a StoreError, every answer has its form, and none takes for ever. */
export function guardedStorage<Storage extends StorageBackend>(
  storage: Storage,
  { name }: Guarded,
  times = storageTimes,
): Storage {
  const calls = new StorageCalls(name, times);
  const transaction = <T>(work: (session: StorageSession) => Promise<T>) =>
    guardedTransaction(storage, work, calls);
  const port: Record<PropertyKey, unknown> = { ...calls.guarded(storage), transaction };
  const { mark } = storage;
  if (mark) port.mark = () => calls.mark(() => mark.call(storage));
  return new Proxy(storage, {
    get(inner, member) {
      if (Object.hasOwn(port, member)) return port[member];
      const value: unknown = Reflect.get(inner, member, inner);
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });
}

/** What became of the work of a transaction. */
interface Outcome<T> {
  thrown?: { error: unknown } | undefined;
  done?: { result: T } | undefined;
  /** Nobody waits for it any more: it must not be committed. */
  over?: boolean;
}

async function guardedTransaction<T>(
  storage: StorageBackend,
  work: (session: StorageSession) => Promise<T>,
  calls: StorageCalls,
): Promise<T> {
  const state: Outcome<T> = {};
  const run = (session: StorageSession) => noted(state, () => work(calls.guarded(session)));
  try {
    await calls.bounded('transaction', calls.times.transaction, () => storage.transaction(run));
  } catch (error) {
    const { thrown } = state;
    if (thrown && (error === thrown.error || !isStoreError(error))) throw thrown.error;
    throw calls.asStoreError(error);
  } finally {
    state.over = true;
  }
  if (state.done) return state.done.result;
  throw state.thrown ? state.thrown.error : calls.failed('ended a transaction without its work');
}

async function noted<T>(state: Outcome<T>, work: () => Promise<T>): Promise<T> {
  state.thrown = undefined;
  state.done = undefined;
  try {
    const result = await work();
    if (state.over) throw new StoreError('unavailable', 'The transaction took too long.');
    state.done = { result };
    return result;
  } catch (error) {
    state.thrown = { error };
    throw error;
  }
}
