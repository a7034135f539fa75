import { join } from 'node:path';
import { schemaVersions } from '@holdfast/core/server';
import sqlite from '@holdfast/storage-sqlite';

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

/** A started storage with a database of its own in the folder. */
export async function sqliteIn(folder: string) {
  const storage = await sqlite.create({
    configuration: { file: join(folder, 'test.db') },
    log: quiet,
    clock: { now: Date.now },
    dataFolder: folder,
    fetch,
  });
  await storage.start({ schema: schemaVersions, stillWorking() {} });
  return storage;
}
