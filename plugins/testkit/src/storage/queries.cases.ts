import assert from 'node:assert/strict';
import type { Query, StorageBackend } from '@holdfast/plugin-api';
import { archive, assertRejected, job, type StorageChecks, user } from './context.js';
import { archives, jobs, users } from './tables.js';

type ArchiveQuery = Query<typeof archives>;

/** Archives a to e with sizes null, 10, 20, 20, 30. */
async function fill(storage: StorageBackend): Promise<void> {
  for (const [index, size] of [null, 10, 20, 20, 30].entries()) {
    await storage.insert(archives, archive('abcde'.charAt(index), { original_size: size, start: index }));
  }
}

async function assertFound(storage: StorageBackend, query: ArchiveQuery, expected: string): Promise<void> {
  const found = await storage.find(archives, query);
  assert.equal(found.map(({ name }) => name).join(''), expected, `by ${JSON.stringify(query).slice(0, 200)}`);
}

const assertMatches = (storage: StorageBackend, where: ArchiveQuery['where'], expected: string) =>
  assertFound(storage, { where }, expected);

export const queryChecks: StorageChecks = {
  'find resolves to an empty array when nothing matches': async ({ storage }) => {
    assert.deepEqual(await storage.find(archives), []);
    await fill(storage);
    await assertMatches(storage, { name: 'z' }, '');
  },
  'equality and null': async ({ storage }) => {
    await fill(storage);
    await assertMatches(storage, {}, 'abcde');
    await assertMatches(storage, { original_size: 20 }, 'cd');
    await assertMatches(storage, { original_size: null }, 'a');
    await assertMatches(storage, { original_size: 20, name: 'd' }, 'd');
    await assertMatches(storage, { original_size: 0.5 }, '');
  },
  'in, also with no values and with 10,000': async ({ storage }) => {
    await fill(storage);
    await assertMatches(storage, { name: { in: ['e', 'a', 'z', 'a'] } }, 'ae');
    await assertMatches(storage, { name: { in: [] } }, '');
    assert.equal(await storage.update(archives, { name: { in: [] } }, { comment: 'x' }), 0);
    assert.equal(await storage.remove(archives, { name: { in: [] } }), 0);
    const many = Array.from({ length: 10_000 }, (_, index) => index * 10);
    await assertMatches(storage, { original_size: { in: many } }, 'bcde');
  },
  'not with a value also matches null, not null everything else': async ({ storage }) => {
    await fill(storage);
    await assertMatches(storage, { original_size: { not: 20 } }, 'abe');
    await assertMatches(storage, { original_size: { not: null } }, 'bcde');
    await assertMatches(storage, { name: { not: 'a' } }, 'bcde');
  },
  'ranges never match null': async ({ storage }) => {
    await fill(storage);
    await assertMatches(storage, { original_size: { lt: 20 } }, 'b');
    await assertMatches(storage, { original_size: { lte: 20 } }, 'bcd');
    await assertMatches(storage, { original_size: { gt: 20 } }, 'e');
    await assertMatches(storage, { original_size: { gte: 20, lt: 30 } }, 'cd');
    await assertMatches(storage, { name: { gt: 'b', lte: 'd' }, start: { gte: 3 } }, 'd');
  },
  'without an order, rows are sorted by id': async ({ storage }) => {
    await fill(storage);
    await storage.update(archives, { name: 'a' }, { start: 99 });
    await assertFound(storage, {}, 'abcde');
    await assertFound(storage, { where: { original_size: { in: [30, 20, 10] } } }, 'bcde');
  },
  'order, nulls first when ascending, ties by id': async ({ storage }) => {
    await fill(storage);
    await assertFound(storage, { order: [['start', 'desc']] }, 'edcba');
    await assertFound(storage, { order: [['original_size', 'asc']] }, 'abcde');
    await assertFound(storage, { order: [['original_size', 'desc']] }, 'edcba');
    await assertFound(
      storage,
      {
        order: [
          ['original_size', 'desc'],
          ['name', 'asc'],
        ],
      },
      'ecdba',
    );
    await assertFound(
      storage,
      {
        order: [
          ['original_size', 'asc'],
          ['id', 'desc'],
        ],
      },
      'abdce',
    );
  },
  'text is ordered by code point': async ({ storage }) => {
    const names = ['', 'A', 'Z', 'Za', 'a', 'z', 'é', '\uffee', '😀'];
    for (const name of [...names].reverse()) await storage.insert(users, user(name));
    const rows = await storage.find(users, { order: [['username', 'asc']] });
    assert.deepEqual(
      rows.map(({ username }) => username),
      names,
    );
  },
  'limit and offset apply to the ordered rows': async ({ storage }) => {
    await fill(storage);
    await assertFound(storage, { limit: 2 }, 'ab');
    await assertFound(storage, { limit: 2, offset: 3 }, 'de');
    await assertFound(storage, { limit: 2, offset: 4, order: [['name', 'desc']] }, 'a');
    await assertFound(storage, { offset: 3 }, 'de');
    await assertFound(storage, { limit: 5, offset: 5 }, '');
    await assertFound(storage, { limit: 0 }, '');
  },
  'malformed queries are rejected as invalid': async ({ storage }) => {
    await fill(storage);
    const wrong: object[] = [
      { where: { nonsense: 1 } },
      { where: { name: undefined } },
      { where: { start: { gte: undefined } } },
      { where: { start: {} } },
      { where: { start: { like: 'a' } } },
      { where: { start: '1' } },
      { where: { name: { in: 'a' } } },
      { order: [['nonsense', 'asc']] },
      { order: [['name', 'up']] },
      { limit: -1 },
      { limit: 1.5 },
    ];
    for (const query of wrong) await assertRejected('invalid', storage.find(archives, query as ArchiveQuery));
    await assertRejected('invalid', storage.remove(archives, { name: undefined }));
    await assertRejected('invalid', storage.update(archives, { name: undefined }, { start: 5 }));
    await assertFound(storage, { where: { start: { not: 5 } } }, 'abcde');
  },
  'JSON columns are rejected in where clauses and orders': async ({ storage }) => {
    await storage.insert(jobs, job());
    const wrong: object[] = [
      { where: { outcome: null } },
      { where: { progress: {} } },
      { order: [['outcome', 'asc']] },
    ];
    for (const query of wrong)
      await assertRejected('invalid', storage.find(jobs, query as Query<typeof jobs>));
  },
  'aggregate without groups returns one row, even if nothing matches': async ({ storage }) => {
    const measures = {
      rows: { count: true },
      total: { sum: 'original_size' },
      least: { min: 'original_size' },
      most: { max: 'original_size' },
    } as const;
    const nothing = [{ rows: 0, total: null, least: null, most: null }];
    assert.deepEqual(await storage.aggregate(archives, { measures }), nothing);
    await fill(storage);
    const all = [{ rows: 5, total: 80, least: 10, most: 30 }];
    assert.deepEqual(await storage.aggregate(archives, { measures }), all);
    assert.deepEqual(await storage.aggregate(archives, { measures, where: { name: 'z' } }), nothing);
    const onlyNull = [{ rows: 1, total: null, least: null, most: null }];
    assert.deepEqual(await storage.aggregate(archives, { measures, where: { name: 'a' } }), onlyNull);
  },
  'aggregate by groups returns one row for each group that has rows': async ({ storage }) => {
    await fill(storage);
    const groups = await storage.aggregate(archives, {
      where: { start: { gte: 1 } },
      groupBy: ['original_size', 'comment'],
      measures: { rows: { count: true }, last: { max: 'start' } },
    });
    groups.sort((a, b) => (a.original_size ?? 0) - (b.original_size ?? 0));
    assert.deepEqual(groups, [
      { original_size: 10, comment: '', rows: 1, last: 1 },
      { original_size: 20, comment: '', rows: 2, last: 3 },
      { original_size: 30, comment: '', rows: 1, last: 4 },
    ]);
    const none = {
      where: { name: 'z' },
      groupBy: ['comment'],
      measures: { rows: { count: true } },
    } as const;
    assert.deepEqual(await storage.aggregate(archives, none), []);
  },
  'aggregate groups by booleans and by null': async ({ storage }) => {
    await storage.insert(users, user('anna', { is_admin: true, last_login: 1 }));
    await storage.insert(users, user('bert'));
    const groups = await storage.aggregate(users, {
      groupBy: ['is_admin', 'last_login'],
      measures: { rows: { count: true } },
    });
    groups.sort((a, b) => Number(a.is_admin) - Number(b.is_admin));
    assert.deepEqual(groups, [
      { is_admin: false, last_login: null, rows: 1 },
      { is_admin: true, last_login: 1, rows: 1 },
    ]);
  },
};
