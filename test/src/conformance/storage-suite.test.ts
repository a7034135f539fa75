import { constants, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type OpenStorage, storageSuite } from '@holdfast/core/conformance';
import type { PluginContext, StorageBackend } from '@holdfast/core/plugin';
import sqlite from '@holdfast/storage-sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedCounts } from '../broken-plugins/storage-changed-counts.js';
import { forgottenIds } from '../broken-plugins/storage-forgotten-ids.js';
import { jsonAsText } from '../broken-plugins/storage-json-as-text.js';
import { lateWrites } from '../broken-plugins/storage-late-writes.js';
import { noRollback } from '../broken-plugins/storage-no-rollback.js';
import { orderIgnored } from '../broken-plugins/storage-order-ignored.js';
import { ownMark } from '../broken-plugins/storage-own-mark.js';
import { racingUpdate } from '../broken-plugins/storage-racing-update.js';
import { uniqueIgnored } from '../broken-plugins/storage-unique-ignored.js';

let folder: string;
let template: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-suite-'));
  template = join(folder, 'template');
  await (await openFile(template)).close();
});
afterAll(() => rm(folder, { recursive: true }));

async function openFile(file: string): Promise<OpenStorage> {
  const storage = await sqlite.create({ configuration: { file } } as PluginContext<{ file: string }>);
  await storage.start?.();
  return { storage, close: async () => storage.stop?.() };
}

/** A store begins as a copy of one whose tables are made: making them anew takes most of the time. */
async function openStore(store: string): Promise<OpenStorage> {
  const file = join(folder, store);
  await copyFile(template, file, constants.COPYFILE_EXCL).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  return openFile(file);
}

/** Names of the broken promises. */
async function brokenBy(open: (store: string) => Promise<OpenStorage>): Promise<string[]> {
  const broken: string[] = [];
  for (const { name, run } of storageSuite({ open })) {
    await run().catch(() => broken.push(name));
  }
  return broken;
}

const layered = (layer: (storage: StorageBackend) => StorageBackend) => async (store: string) => {
  const { storage, close } = await openStore(store);
  return { storage: layer(storage), close };
};

describe('the suite for storages', () => {
  it('passes a sound storage', async () => {
    expect(await brokenBy(openStore)).toEqual([]);
  });

  it.each<[string, (storage: StorageBackend) => StorageBackend, string[]]>([
    ['counts what changed', changedCounts, ['update counts the rows it matched, also when nothing changes']],
    [
      'does not roll back',
      noRollback,
      [
        'a transaction whose work throws leaves nothing, and rejects with just that',
        'nobody else sees a transaction before its end',
        'two transactions can not skew each other',
      ],
    ],
    [
      'ignores unique keys',
      uniqueIgnored,
      [
        'insert refuses a taken unique key, names it and writes nothing',
        'of 20 inserts with one unique key exactly one is done',
      ],
    ],
    [
      'ignores the order',
      orderIgnored,
      ['order, nulls first when ascending, ties by id', 'text is ordered by code point'],
    ],
    [
      'looks before it updates',
      racingUpdate,
      [
        'of 50 claims at once exactly one gets the count 1',
        'of 50 claims at once by three storages exactly one gets the count 1',
      ],
    ],
    [
      'writes at the end of a transaction',
      lateWrites,
      [
        'reads in a transaction see its own writes',
        'two transactions can not skew each other',
        'a transaction that found no row inserts it alone',
        'no increment is lost when conflicts are repeated',
      ],
    ],
    [
      'knows of its own writes only',
      ownMark,
      ['a mark, where there is one, differs after every commit, also of another instance'],
    ],
    ['forgets reserved ids', forgottenIds, ['new ids come after those that were loaded or reserved']],
    ['returns JSON as text', jsonAsText, ['JSON comes back with every value, bad surrogates too']],
  ])('catches a storage that %s', async (_, layer, promises) => {
    expect(await brokenBy(layered(layer))).toEqual(expect.arrayContaining(promises));
  });

  it('catches a storage that forgets at its end', async () => {
    let opened = 0;
    const open = (store: string) => openStore(`${store}_${opened++}`);
    const promises = ['rows outlive the storage, and ids go on', 'two storages see what the other committed'];
    expect(await brokenBy(open)).toEqual(expect.arrayContaining(promises));
  });

  it('catches a storage that does not end', async () => {
    const late: OpenStorage[] = [];
    const open = async (store: string) => {
      const one = await openStore(store);
      late.push(one);
      return { ...one, close: async () => {} };
    };
    expect(await brokenBy(open)).toEqual(['every method is refused as unavailable after the close']);
    for (const { close } of late) await close();
  });
});
