import {
  isStoreError,
  type StorageBackend,
  type StorageSession,
  StoreError,
  type StoreErrorKind,
} from '@holdfast/plugin-api';
import { reasonOf, withinTime } from '../../kernel/index.js';
import type { Guarded } from './guarded.js';

/** Timeouts in milliseconds. An operation that timed out may still have been done. */
const storageTimes = { operation: 60_000, transaction: 120_000 };

/** Makes every failure a StoreError, checks every answer, and limits the time of every call. */
export function guardedStorage<Storage extends StorageBackend>(
  storage: Storage,
  { name }: Guarded,
  times = storageTimes,
): Storage {
  const calls = new StorageCalls(name, times);
  const transaction = <T>(work: (session: StorageSession) => Promise<T>) =>
    guardedTransaction(storage, work, calls);
  const port: Record<PropertyKey, unknown> = { ...calls.guarded(storage), transaction };
  const { changeToken } = storage;
  if (changeToken) port.changeToken = () => calls.changeToken(() => changeToken.call(storage));
  return new Proxy(storage, {
    get(inner, member) {
      if (Object.hasOwn(port, member)) return port[member];
      const value: unknown = Reflect.get(inner, member, inner);
      return typeof value === 'function' ? value.bind(inner) : value;
    },
  });
}

/** The result of the work in a transaction. */
interface Outcome<T> {
  thrown?: { error: unknown } | undefined;
  done?: { result: T } | undefined;
  /** Nobody waits for it any longer: it must not be committed. */
  over?: boolean;
}

async function guardedTransaction<T>(
  storage: StorageBackend,
  work: (session: StorageSession) => Promise<T>,
  calls: StorageCalls,
): Promise<T> {
  const state: Outcome<T> = {};
  const run = (session: StorageSession) => tracked(state, () => work(calls.guarded(session)));
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
  throw state.thrown ? state.thrown.error : calls.failed('ended a transaction without running its work');
}

async function tracked<T>(state: Outcome<T>, work: () => Promise<T>): Promise<T> {
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

const kinds: Record<StoreErrorKind, true> = {
  unique: true,
  conflict: true,
  unavailable: true,
  invalid: true,
};

const isRow = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown) => Array.isArray(value) && value.every(isRow);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

/** Guards the operations of a storage that may fail, hang or answer anything. */
export class StorageCalls {
  constructor(
    private readonly name: string,
    readonly times: { operation: number; transaction: number },
  ) {}

  failed(what: string, cause?: unknown): StoreError {
    return new StoreError('unavailable', `${this.name} ${what}.`, cause === undefined ? {} : { cause });
  }

  asStoreError(error: unknown): StoreError {
    const known =
      isStoreError(error) && Object.hasOwn(kinds, error.kind) && typeof error.retryable === 'boolean';
    return known ? error : this.failed(`failed: ${reasonOf(error)}`, error);
  }

  bounded<T>(what: string, ms: number, work: () => Promise<T>): Promise<T> {
    return withinTime(ms, work, () => this.failed(`did not answer ${what} within ${ms / 1000} s`));
  }

  guarded(session: StorageSession): StorageSession {
    return {
      find: (...args) => this.#ask('find', isRows, () => session.find(...args)),
      insert: (...args) => this.#ask('insert', isRow, () => session.insert(...args)),
      update: (...args) => this.#ask('update', isCount, () => session.update(...args)),
      remove: (...args) => this.#ask('remove', isCount, () => session.remove(...args)),
      aggregate: (...args) => this.#ask('aggregate', isRows, () => session.aggregate(...args)),
    };
  }

  changeToken(read: () => Promise<string>): Promise<string> {
    return this.#ask('changeToken', (value) => typeof value === 'string', read);
  }

  async #ask<T>(what: string, fits: (value: unknown) => boolean, work: () => Promise<T>): Promise<T> {
    const value = await this.bounded(what, this.times.operation, work).catch((error: unknown) => {
      throw this.asStoreError(error);
    });
    if (fits(value)) return value;
    throw this.failed(`answered ${what} in a form that the port does not allow`);
  }
}
