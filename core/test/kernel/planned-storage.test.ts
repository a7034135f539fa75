import { col, entity, isStoreError, type StorageBackend } from '@holdfast/plugin-api';
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  constantFrom,
  integer,
  oneof,
  option,
  record,
} from 'fast-check';
import { expect, it } from 'vitest';
import { plannedStorage } from '../../src/foundation/kernel/index.js';
import { memoryStorage } from '../fakes/memory-storage.js';

const things = entity(
  'things',
  {
    id: col.id(),
    name: col.text<string>().required(),
    rank: col.integer.nullable(),
    on: col.boolean.default(true),
  },
  { unique: [['name']] },
);

const name = constantFrom('a', 'b', 'c', 'd');
const rank = option(integer({ min: 0, max: 3 }));
const number = integer({ min: 0, max: 3 });
const condition = oneof(
  rank,
  record({ in: array(number) }),
  record({ not: constantFrom(null) }),
  record({ gte: number, lt: number }),
  record({ gt: number, lte: number }),
);
const where = oneof(
  record({ rank: condition }),
  record({ name }),
  record({ on: constantFrom(true), rank: condition }),
);
const order = oneof(
  constantFrom([]),
  record({ by: constantFrom('rank', 'name'), way: constantFrom('asc', 'desc') }).map(({ by, way }) => [
    [by, way],
  ]),
);
type Step = (storage: StorageBackend) => Promise<unknown>;
const step: Arbitrary<Step> = oneof(
  record({ name, rank }, { requiredKeys: ['name'] }).map(
    (row): Step =>
      (storage) =>
        storage.insert(things, row as never),
  ),
  record({ where, patch: record({ rank }) }).map(
    (each): Step =>
      (storage) =>
        storage.update(things, each.where as never, each.patch as never),
  ),
  where.map(
    (each): Step =>
      (storage) =>
        storage.remove(things, each as never),
  ),
  record({ where, order, limit: integer({ min: 1, max: 3 }) }).map(
    (query): Step =>
      (storage) =>
        storage.find(things, query as never),
  ),
  where.map(
    (each): Step =>
      (storage) =>
        storage.aggregate(things, {
          where: each as never,
          groupBy: ['on'],
          measures: { n: { count: true }, sum: { sum: 'rank' }, max: { max: 'rank' }, min: { min: 'rank' } },
        }),
  ),
);

/** Ids differ, and mean nothing. */
const answerOf = async (work: Promise<unknown>): Promise<string> =>
  JSON.stringify(
    await work.catch((error: unknown) => (isStoreError(error, 'unique') ? error.key : Promise.reject(error))),
    (key, value) => (key === 'id' ? 0 : value),
  );

it('answers like the storage without changing it', async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 6 }), array(step, { maxLength: 12 }), async (before, steps) => {
      const [base, real] = [memoryStorage(), memoryStorage()];
      for (const each of before) for (const storage of [base, real]) await answerOf(each(storage));
      const kept = JSON.stringify(await base.find(things));
      const { storage } = plannedStorage(base);
      for (const each of steps)
        expect(JSON.parse(await answerOf(each(storage)))).toEqual(JSON.parse(await answerOf(each(real))));
      expect(JSON.stringify(await base.find(things))).toBe(kept);
    }),
    { seed: 3 },
  );
});

it('drops only the changes of failed work', async () => {
  const base = memoryStorage();
  await base.insert(things, { name: 'a' });
  const { storage, attempt } = plannedStorage(base);
  await attempt(() => storage.insert(things, { name: 'b' }));
  const failing = attempt(async () => {
    await storage.insert(things, { name: 'c' });
    await storage.update(things, { name: 'b' }, { rank: 1 });
    await storage.remove(things, { name: 'a' });
    await storage.insert(things, { name: 'b' });
  });
  await expect(failing).rejects.toMatchObject({ kind: 'unique' });
  expect((await storage.find(things)).map((row) => [row.name, row.rank])).toEqual([
    ['a', null],
    ['b', null],
  ]);
});
