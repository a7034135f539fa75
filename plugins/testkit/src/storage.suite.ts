import { randomUUID } from 'node:crypto';
import type { StorageStart } from '@holdfast/plugin-api';
import { type ConformanceCase, conformanceCase } from './case.js';
import { changeTokenChecks } from './storage/change-token.cases.js';
import { concurrencyChecks } from './storage/concurrency.cases.js';
import type { OpenStorage, StorageChecks, StorageContext } from './storage/context.js';
import { copiesChecks } from './storage/copies.cases.js';
import { eventChecks } from './storage/events.cases.js';
import { lifeChecks } from './storage/life.cases.js';
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
   * Opens a storage with `start(start)` on the store of this name: an empty one if the name is new, otherwise the
   * same store again, even while it is open already. Names are valid as file and database names. Rejects when the
   * start does.
   */
  open(store: string, start: StorageStart): Promise<OpenStorage>;
}

/**
 * Conformance cases for a storage plugin, each on a store of its own. The factory removes what the stores leave
 * behind.
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
    ...changeTokenChecks,
    ...transferChecks,
    ...copiesChecks,
  };
  return [
    ...Object.entries(checks).map(([name, check]) => conformanceCase(name, () => tryOut(options, check))),
    ...Object.entries(schemaChecks).map(([name, check]) =>
      conformanceCase(name, () => tryOnStore(options, check)),
    ),
  ];
}

/** Provides a store that can be opened as often as needed; everything is closed in the end. */
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
