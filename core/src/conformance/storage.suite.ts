import { randomUUID } from 'node:crypto';
import type { StorageBackend } from '../ports/storage.js';
import type { ConformanceCase } from './case.js';
import { concurrencyChecks } from './storage/concurrency.cases.js';
import type { StorageChecks, StorageContext } from './storage/context.js';
import { eventChecks } from './storage/events.cases.js';
import { lifeChecks } from './storage/life.cases.js';
import { markChecks } from './storage/mark.cases.js';
import { queryChecks } from './storage/queries.cases.js';
import { transactionChecks } from './storage/transactions.cases.js';
import { transferChecks } from './storage/transfer.cases.js';
import { valueChecks } from './storage/values.cases.js';
import { writeChecks } from './storage/writes.cases.js';

export interface OpenStorage {
  storage: StorageBackend;
  close(): Promise<void>;
}

export interface StorageSuiteOptions {
  /**
   * Opens (`start`) a storage on the store of this name: empty when the name is new, the same store again when
   * it is not, also while it is open already. Names are fit for file and database names.
   */
  open(store: string): Promise<OpenStorage>;
}

/**
 * The promises of `StorageBackend`, each tried on a store of its own with the product's entities. What stores
 * leave behind is the factory's to remove.
 */
export function storageSuite(options: StorageSuiteOptions): ConformanceCase[] {
  const checks: StorageChecks = {
    ...valueChecks,
    ...writeChecks,
    ...queryChecks,
    ...transactionChecks,
    ...concurrencyChecks,
    ...eventChecks,
    ...lifeChecks,
    ...markChecks,
    ...transferChecks,
  };
  return Object.entries(checks).map(([name, check]) => ({ name, run: () => tryOut(options, check) }));
}

async function tryOut(
  { open }: StorageSuiteOptions,
  check: (context: StorageContext) => Promise<void>,
): Promise<void> {
  const store = `suite_${randomUUID().replaceAll('-', '')}`;
  const { storage, close: closeStorage } = await open(store);
  const others: OpenStorage[] = [];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeStorage();
    return closed;
  };
  const another = async () => {
    const other = await open(store);
    others.push(other);
    return other.storage;
  };
  try {
    await check({ storage, another, close });
  } finally {
    await Promise.all([close(), ...others.map((other) => other.close())]);
  }
}
