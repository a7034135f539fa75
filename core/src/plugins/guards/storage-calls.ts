import { isStoreError, StoreError, type StoreErrorKind } from '../../kernel/errors.js';
import type { StorageSession } from '../../ports/storage.js';
import { reasonOf } from '../../kernel/reason-of.js';
import { withinTime } from '../../kernel/within-time.js';

const kinds: Record<StoreErrorKind, true> = {
  unique: true,
  conflict: true,
  unavailable: true,
  invalid: true,
};

const isRow = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = (value: unknown) => Array.isArray(value) && value.every(isRow);
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

/** The operations of a storage that may fail, hang or answer in any way. */
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
      find: (...words) => this.#ask('find', isRows, () => session.find(...words)),
      insert: (...words) => this.#ask('insert', isRow, () => session.insert(...words)),
      update: (...words) => this.#ask('update', isCount, () => session.update(...words)),
      remove: (...words) => this.#ask('remove', isCount, () => session.remove(...words)),
      aggregate: (...words) => this.#ask('aggregate', isRows, () => session.aggregate(...words)),
    };
  }

  mark(read: () => Promise<string>): Promise<string> {
    return this.#ask('mark', (value) => typeof value === 'string', read);
  }

  async #ask<T>(what: string, fits: (value: unknown) => boolean, work: () => Promise<T>): Promise<T> {
    const value = await this.bounded(what, this.times.operation, work).catch((error: unknown) => {
      throw this.asStoreError(error);
    });
    if (fits(value)) return value;
    throw this.failed(`answered ${what} with something else than the port has`);
  }
}
