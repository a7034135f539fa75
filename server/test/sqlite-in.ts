import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schemaVersions } from '@holdfast/core/server';
import sqlite from '@holdfast/storage-sqlite';

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

/** A started storage with a database of its own in the folder. */
export async function sqliteIn(folder: string) {
  const file = join(folder, 'test.db');
  empty ??= makeEmpty();
  if (!existsSync(file)) writeFileSync(file, await empty);
  return started(folder, file);
}

/** The file with all tables, which take most of the time of a short test. */
let empty: Promise<Buffer> | undefined;

async function makeEmpty(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'hf-empty-'));
  const file = join(folder, 'test.db');
  await (await started(folder, file)).stop?.();
  const content = readFileSync(file);
  rmSync(folder, { recursive: true });
  return content;
}

async function started(folder: string, file: string) {
  const storage = await sqlite.create({
    configuration: { file },
    log: quiet,
    clock: { now: Date.now },
    dataFolder: folder,
    fetch,
  });
  await storage.start({ schema: schemaVersions, stillWorking() {} });
  return storage;
}
