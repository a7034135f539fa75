import { expect, it } from 'vitest';
import { z } from 'zod';
import { invalid, say } from '../../src/foundation/kernel/index.js';
import { settings } from '../../src/foundation/kernel/tables.js';
import type { ExchangeNeeds } from '../../src/migration/exchange/needs.js';
import { applyParts } from '../../src/migration/exchange/settings/apply.js';
import type { Section } from '../../src/migration/exchange/settings/section.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const section: Section = {
  ...{ name: 'things', shape: z.object({}), secrets: [], fixed: [] },
  key: ({ key }) => String(key),
  title: ({ key }) => String(key),
  read: async ({ storage }) =>
    (await storage.find(settings)).map(({ id, key, value }) => ({ id, value: { key, value } })),
  async create({ needs }, { key, value }) {
    if (value === 'refused') throw invalid(say('test_refused')`No.`);
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
  const needs = { storage: watched, events, timers: {}, log: {} } as unknown as ExchangeNeeds;
  return { needs, storage, transactions };
}
const caller = {} as never;

it('plans without a transaction, however much is refused', async () => {
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

it('writes in short transactions, so that others get their turn', async () => {
  const { needs, storage, transactions } = world();
  const values = Array.from({ length: 60 }, (_, at) => (at % 20 === 7 ? 'refused' : at));
  const { objects } = await applyParts(needs, parts(values), { caller, keep: true, replaceSources: false });
  expect(objects.filter(({ action }) => action === 'create')).toHaveLength(57);
  expect(await storage.find(settings)).toHaveLength(57);
  expect(transactions.length).toBeGreaterThan(1);
});
