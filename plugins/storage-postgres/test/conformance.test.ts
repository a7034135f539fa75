import { storageSuite } from '@holdfast/core/conformance';
import { afterAll, describe, it } from 'vitest';
import { dropDatabases, newDatabase, openDatabase, urlOf } from './databases.js';

const databases = new Map<string, Promise<string>>();

async function open(store: string) {
  const database = databases.get(store) ?? newDatabase(store);
  databases.set(store, database);
  return openDatabase(urlOf(await database));
}

afterAll(dropDatabases);

describe('storage-postgres keeps the promises of StorageBackend', () => {
  for (const { name, run } of storageSuite({ open })) it(name, run);
});
