import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PluginContext, StorageBackend, StoragePort, StorageStart } from '@holdfast/plugin-api';
import sqlite from '@holdfast/storage-sqlite';
import { type OpenStorage, type StorageSuiteOptions, storageSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changedCounts } from '../broken-plugins/storage-changed-counts.js';
import { forgottenIds } from '../broken-plugins/storage-forgotten-ids.js';
import { jsonAsText } from '../broken-plugins/storage-json-as-text.js';
import { lateWrites } from '../broken-plugins/storage-late-writes.js';
import { withMethods } from '../broken-plugins/storage-layer.js';
import { noRollback } from '../broken-plugins/storage-no-rollback.js';
import { orderIgnored } from '../broken-plugins/storage-order-ignored.js';
import {
  addedColumnsIgnored,
  changesApart,
  dropsIgnored,
  newerOpened,
  silentStart,
} from '../broken-plugins/storage-other-schema.js';
import { ownChangeToken } from '../broken-plugins/storage-own-change-token.js';
import { racingUpdate } from '../broken-plugins/storage-racing-update.js';
import { uniqueIgnored } from '../broken-plugins/storage-unique-ignored.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-suite-'));
});
afterAll(() => rm(folder, { recursive: true }));

type Layer = (storage: StoragePort) => StoragePort;

async function openFile(
  file: string,
  start: StorageStart,
  layer: Layer = (sound) => sound,
): Promise<OpenStorage> {
  const sound = await sqlite.create({ configuration: { file } } as PluginContext<{ file: string }>);
  const storage = layer(sound) as typeof sound;
  await storage.start(start);
  return { storage, close: async () => storage.stop?.() };
}

const openStore = (store: string, start: StorageStart, layer?: Layer): Promise<OpenStorage> =>
  openFile(join(folder, store), start, layer);

const firstAboutSchemas = 'missing versions are applied: the rows stay, and new columns have their defaults';

/** Names of the broken promises, of all or from that one on. */
async function brokenBy(open: StorageSuiteOptions['open'], from?: string): Promise<string[]> {
  const broken: string[] = [];
  const suite = storageSuite({ open });
  const first = suite.findIndex(({ name }) => name === from);
  for (const { name, run } of suite.slice(Math.max(0, first))) {
    await run().catch(() => broken.push(name));
  }
  return broken;
}

const layered =
  (layer: (storage: StorageBackend) => StorageBackend): StorageSuiteOptions['open'] =>
  async (store, start) => {
    const { storage, close } = await openStore(store, start);
    return { storage: { ...layer(storage), schemaVersion: () => storage.schemaVersion() }, close };
  };

describe('the suite for storages', () => {
  it('passes a sound storage', async () => {
    expect(await brokenBy(openStore)).toEqual([]);
  });

  it.each<[string, (storage: StorageBackend) => StorageBackend, string[]]>([
    ['counts what changed', changedCounts, ['update counts the rows it matched, even if nothing changes']],
    [
      'does not roll back',
      noRollback,
      [
        'a transaction whose work throws changes nothing, and rejects with that error',
        'others do not see a transaction before its end',
        'two transactions cannot cause write skew',
      ],
    ],
    [
      'ignores unique keys',
      uniqueIgnored,
      [
        'insert rejects a duplicate unique key, names it and writes nothing',
        'exactly one of 20 inserts with the same unique key succeeds',
      ],
    ],
    [
      'ignores the order',
      orderIgnored,
      ['order, nulls first when ascending, ties by id', 'text is ordered by code point'],
    ],
    [
      'reads before it updates',
      racingUpdate,
      [
        'exactly one of 50 concurrent claims gets the count 1',
        'exactly one of 50 concurrent claims by three storages gets the count 1',
      ],
    ],
    [
      'writes at the end of a transaction',
      lateWrites,
      [
        'reads in a transaction see its own writes',
        'two transactions cannot cause write skew',
        'only one of two transactions inserts a row that both found missing',
        'no increment is lost when conflicts are retried',
      ],
    ],
    [
      'sees only its own writes',
      ownChangeToken,
      ['a change token differs after every commit, even of another instance'],
    ],
    ['forgets reserved ids', forgottenIds, ['new ids are higher than loaded and reserved ones']],
    ['returns JSON as text', jsonAsText, ['JSON values are returned unchanged, even lone surrogates']],
  ])('catches a storage that %s', async (_, layer, promises) => {
    expect(await brokenBy(layered(layer))).toEqual(expect.arrayContaining(promises));
  });

  it.each<[string, Layer, string[]]>([
    ['ignores new columns', addedColumnsIgnored, [firstAboutSchemas]],
    [
      'ignores drops',
      dropsIgnored,
      ['a dropped column loses its values, keys and indexes', 'a dropped entity loses its rows'],
    ],
    [
      'opens a store of a newer schema',
      newerOpened,
      ['a store of a newer version is rejected with both versions, and left unchanged'],
    ],
    ['gives no signs of life', silentStart, ['a start calls stillWorking before each version']],
    ['commits half a version', changesApart, ['a version that fails leaves no changes']],
  ])('catches a storage that %s', async (_, layer, promises) => {
    const open: StorageSuiteOptions['open'] = (store, start) => openStore(store, start, layer);
    expect(await brokenBy(open, firstAboutSchemas)).toEqual(expect.arrayContaining(promises));
  });

  it('skips unsupported features of the storage and reports them', async () => {
    const suite = storageSuite({ open: layered((storage) => withMethods(storage, () => ({}))) });
    const reasonsOf = async (promise: string) => {
      const reasons: string[] = [];
      await suite.find(({ name }) => name === promise)?.run({ skip: (reason) => reasons.push(reason) });
      return reasons;
    };
    expect(await reasonsOf('ids ascend and are never reused')).toEqual([]);
    expect(await reasonsOf('either all rows are loaded or none')).toEqual(['The plugin has no "transfer".']);
    const token = suite.find(({ name }) => name.startsWith('a change token'));
    await expect(token?.run()).rejects.toMatchObject({
      name: 'LeftOut',
      message: 'The plugin has no "changeToken".',
    });
  });

  it('catches a storage that loses data at its end', async () => {
    let opened = 0;
    const open: StorageSuiteOptions['open'] = (store, start) => openStore(`${store}_${opened++}`, start);
    const promises = [
      'rows survive a close of the storage, and ids continue',
      'each of two storages sees what the other committed',
    ];
    expect(await brokenBy(open)).toEqual(expect.arrayContaining(promises));
  });

  it('catches a storage that does not end', async () => {
    const late: OpenStorage[] = [];
    const open: StorageSuiteOptions['open'] = async (store, start) => {
      const one = await openStore(store, start);
      late.push(one);
      return { ...one, close: async () => {} };
    };
    expect(await brokenBy(open)).toEqual(['every method rejects with unavailable after the close']);
    for (const { close } of late) await close();
  });
});
