import assert from 'node:assert/strict';
import {
  type InsertOf,
  isStoreError,
  type StorageBackend,
  type StoragePort,
  type StorageSession,
  type StoreErrorKind,
} from '@holdfast/plugin-api';

import type { archives, jobs, users } from './tables.js';

export interface OpenStorage {
  storage: StorageBackend & Pick<StoragePort, 'schemaVersion'>;
  close(): Promise<void>;
}

/** What one case works with: a storage of its own on an empty store. */
export interface StorageContext {
  storage: StorageBackend;
  /** One more storage on the same store, as another process would open it; closed after the case. */
  another(): Promise<StorageBackend>;
  /** Closes `storage`. */
  close(): Promise<void>;
}

/** Cases by their names. */
export type StorageChecks = Record<string, (context: StorageContext) => Promise<void>>;

export async function assertRejected(kind: StoreErrorKind, attempt: Promise<unknown>): Promise<Error> {
  const error = await attempt.then(
    () => assert.fail(`It resolved instead of rejecting with a StoreError "${kind}".`),
    (reason: unknown) => reason,
  );
  assert.ok(isStoreError(error), `It rejected with ${String(error)} instead of a StoreError.`);
  assert.equal(error.kind, kind, `The StoreError is of the wrong kind: ${error.message}`);
  return error;
}

/** How each attempt ended; anything but success and a retryable conflict fails the case. */
export async function outcomes(attempts: Promise<unknown>[]): Promise<('done' | 'conflict')[]> {
  return (await Promise.allSettled(attempts)).map((result) => {
    if (result.status === 'fulfilled') return 'done';
    assert.ok(isStoreError(result.reason, 'conflict'), `It rejected with ${String(result.reason)}.`);
    return 'conflict';
  });
}

/** Repeats the whole transaction on a conflict for up to ten seconds, as the callers of `transaction` do. */
export async function retried<T>(
  storage: StorageBackend,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  const end = Date.now() + 10_000;
  for (;;) {
    try {
      return await storage.transaction(work);
    } catch (error) {
      if (!isStoreError(error, 'conflict') || Date.now() > end) throw error;
    }
  }
}

export const user = (
  username: string,
  values: Partial<InsertOf<typeof users>> = {},
): InsertOf<typeof users> => ({
  username,
  password_hash: 'hash',
  created_at: 1_700_000_000_000,
  ...values,
});

export const archive = (
  name: string,
  values: Partial<InsertOf<typeof archives>> = {},
): InsertOf<typeof archives> => ({
  repository_id: 1,
  name,
  start: 1_700_000_000_000,
  comment: '',
  ...values,
});

export const job = (values: Partial<InsertOf<typeof jobs>> = {}): InsertOf<typeof jobs> => ({
  kind: 'backup',
  status: 'pending',
  repository_path: '/repository',
  parameters: {},
  progress: {},
  ...values,
});
