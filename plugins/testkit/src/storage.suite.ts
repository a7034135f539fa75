import { randomUUID } from 'node:crypto';
import type { StorageStart } from '@holdfast/plugin-api';
import { type ConformanceCase, conformanceCase } from './case.js';
import { concurrencyChecks } from './storage/concurrency.cases.js';
import type { OpenStorage, StorageChecks, StorageContext } from './storage/context.js';
import { eventChecks } from './storage/events.cases.js';
import { lifeChecks } from './storage/life.cases.js';
import { markChecks } from './storage/mark.cases.js';
import { queryChecks } from './storage/queries.cases.js';
import { type SchemaStore, schemaChecks } from './storage/schema.cases.js';
import { suiteSchema } from './storage/tables.js';
import { transactionChecks } from './storage/transactions.cases.js';
import { transferChecks } from './storage/transfer.cases.js';
import { valueChecks } from './storage/values.cases.js';
import { writeChecks } from './storage/writes.cases.js';

export type { OpenStorage } from './storage/context.js';

export interface StorageSuiteOptions {
  /**
   * Opens a storage by `start(start)` on the store of this name: empty when the name is new, the same store again
   * when it is not, also while it is open already. Names are fit for file and database names. Rejects when the start
   * does.
   */
  open(store: string, start: StorageStart): Promise<OpenStorage>;
}

/**
 * The promises of a storage plugin, each tried on a store of its own. What stores leave behind is the factory's to remove.
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
  return [
    ...Object.entries(checks).map(([name, check]) => conformanceCase(name, () => tryOut(options, check))),
    ...Object.entries(schemaChecks).map(([name, check]) =>
      conformanceCase(name, () => tryOnStore(options, check)),
    ),
  ];
}

/** Hands over a store of its own that is opened as often as wanted; all is closed in the end. */
async function tryOnStore(
  { open }: StorageSuiteOptions,
  check: (store: SchemaStore) => Promise<void>,
): Promise<void> {
  const name = `suite_${randomUUID().replaceAll('-', '')}`;
  const opened: OpenStorage[] = [];
  const store = {
    signs: 0,
    async open(schema: StorageStart['schema']) {
      const stillWorking = () => void store.signs++;
      const { storage, close } = await open(name, { schema, stillWorking });
      let closed: Promise<void> | undefined;
      const once = {
        storage,
        close: () => {
          closed ??= close();
          return closed;
        },
      };
      opened.push(once);
      return once;
    },
  };
  try {
    await check(store);
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

function tryOut(
  options: StorageSuiteOptions,
  check: (context: StorageContext) => Promise<void>,
): Promise<void> {
  return tryOnStore(options, async (store) => {
    const { storage, close } = await store.open(suiteSchema);
    await check({ storage, another: async () => (await store.open(suiteSchema)).storage, close });
  });
}
