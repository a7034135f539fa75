import { expect, it } from 'vitest';
import { z } from 'zod';
import { sourceSets } from '../../src/backup/repositories/tables.js';
import { invalid, say } from '../../src/foundation/kernel/index.js';
import { settings } from '../../src/foundation/kernel/tables.js';
import type { SettingsNeeds } from '../../src/migration/moving-in/needs.js';
import { applyParts } from '../../src/migration/moving-in/settings/apply.js';
import { partsOf } from '../../src/migration/moving-in/settings/document.js';
import type { Section } from '../../src/migration/moving-in/settings/section.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const section: Section = {
  name: 'things',
  shape: z.object({}),
  secrets: [],
  fixed: [],
  key: ({ key }) => String(key),
  title: ({ key }) => String(key),
  read: async ({ storage }) =>
    (await storage.find(settings)).map(({ id, key, value }) => ({ id, value: { key, value } })),
  async create({ needs }, { key, value }) {
    if (value === 'refused') throw invalid(say`test_refused: No.`);
    // As slow as a row is on a busy machine.
    await new Promise((resolve) => setTimeout(resolve, 25));
    await needs.storage.transaction((session) =>
      session.insert(settings, { key: String(key), value: value as number }),
    );
  },
  change: async () => undefined,
};
const parts = (values: unknown[]) => [
  { section, objects: values.map((value, at) => ({ key: `${at}`, value: { key: `${at}`, value } })) },
];

function world() {
  const storage = memoryStorage();
  const transactions: number[] = [];
  const watched = {
    ...storage,
    async transaction<T>(work: Parameters<typeof storage.transaction<T>>[0]) {
      const began = performance.now();
      return storage.transaction(work).finally(() => transactions.push(performance.now() - began));
    },
  };
  const events = { announce: () => undefined, nudge: () => undefined };
  const needs = { storage: watched, events, timers: {}, log: {} } as unknown as SettingsNeeds;
  return { needs, storage, transactions };
}
const caller = {} as never;

it('plans without a transaction despite many refused objects', async () => {
  const { needs, storage, transactions } = world();
  const { objects } = await applyParts(needs, parts([1, 'refused', 2, 'refused']), {
    caller,
    keep: false,
    replaceSources: false,
  });
  expect(objects.map(({ action }) => action)).toEqual(['create', 'cannot', 'create', 'cannot']);
  expect(objects[1]?.why?.code).toBe('test_refused');
  expect([transactions, await storage.find(settings)]).toEqual([[], []]);
});

it('writes in short transactions that let others run in between', async () => {
  const { needs, storage, transactions } = world();
  const values = Array.from({ length: 60 }, (_, at) => (at % 20 === 7 ? 'refused' : at));
  const { objects } = await applyParts(needs, parts(values), { caller, keep: true, replaceSources: false });
  expect(objects.filter(({ action }) => action === 'create')).toHaveLength(57);
  expect(await storage.find(settings)).toHaveLength(57);
  expect(transactions.length).toBeGreaterThan(1);
});

const shop = { kind: 'mysql', name: 'shop', container: null, settings: {} };

it.each([
  ['directories', { source_directories: ['/home'] }],
  ['databases', { source_directories: ['/etc', '/home'], sources: [] }],
])('replaces %s from a settings file only after confirmation', async (_what, after) => {
  const { needs, storage } = world();
  const times = { created_at: 1, updated_at: 1 };
  const before = { name: 'home', source_directories: ['/etc', '/home'], exclude_patterns: [] };
  await storage.insert(sourceSets, { ...before, sources: [{ ...shop, uid: 'u' }], ...times });
  const document = { source_sets: [{ name: 'home', ...after }] };
  const files = {
    lookAt: async (path: string) => ({ path, state: 'present' }),
    realPath: async (path: string) => path,
  };
  const places = { dataDirectory: '/data', reservedPaths: [] };
  const more = { clock: { now: () => 2 }, driver: {}, files, settings: places, sourceKinds: [] };
  for (const replaceSources of [false, true]) {
    const choices = { caller, keep: false, replaceSources };
    const { objects } = await applyParts({ ...needs, ...more } as never, partsOf(document as never), choices);
    expect(objects.map(({ action, why }) => [action, why?.code])).toEqual([
      replaceSources ? ['change', undefined] : ['cannot', 'import_replaces_sources'],
    ]);
  }
});
