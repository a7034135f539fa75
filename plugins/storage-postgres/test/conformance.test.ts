import type { StorageStart } from '@holdfast/plugin-api';
import { storageSuite } from '@holdfast/testkit';
import { afterAll, describe, it } from 'vitest';
import { dropDatabases, makeLog, newDatabase, openDatabase, urlOf } from './databases.js';

const databases = new Map<string, Promise<string>>();

async function open(store: string, start: StorageStart) {
  const database = databases.get(store) ?? newDatabase(store);
  databases.set(store, database);
  return openDatabase(urlOf(await database), makeLog(), start);
}

afterAll(dropDatabases);

describe('storage-postgres passes the suite for storages', () => {
  for (const { name, run } of storageSuite({ open })) it(name, run);
});
