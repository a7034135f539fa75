import { expect, test } from 'vitest';
import { readPage } from '../../src/backup/archives/archive-page.js';
import { archives } from '../../src/backup/repositories/tables.js';
import { memoryStorage } from '../fakes/memory-storage.js';

/** Of repository 1, three at a time at the same instant; each third is of schedule 7. */
async function world(count: number) {
  const storage = memoryStorage();
  for (let n = 0; n < count; n++) {
    await storage.insert(archives, {
      repository_id: n === 3 ? 2 : 1,
      tool_id: `id-${n}`,
      name: `Web-${n}`,
      start: Math.floor(n / 3) - 1,
      hostname: 'h',
      username: 'u',
      comment: '',
      seen_at: 0,
      schedule_id: n % 3 === 0 ? 7 : null,
    });
  }
  return storage;
}

async function pages(
  storage: Awaited<ReturnType<typeof world>>,
  filter: { limit: number; schedule_id?: number; query?: string; from?: number; to?: number },
) {
  const found: string[][] = [];
  for (let before: string | undefined; ; ) {
    const { rows, next } = await readPage(storage, 1, { ...filter, before });
    found.push(rows.map(({ name }) => name));
    if (next === null) return found;
    before = next;
  }
}

test.each([1, 2, 3, 4, 5, 20])('returns every archive once in pages of %d, newest last', async (limit) => {
  const found = await pages(await world(11), { limit });
  expect(found.toReversed().flat()).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9, 10].map((n) => `Web-${n}`));
  expect(found.every((page) => page.length > 0 && page.length <= limit)).toBe(true);
});

test('filters by schedule or by part of the name in any case', async () => {
  const storage = await world(13);
  expect(await pages(storage, { limit: 2, schedule_id: 7 })).toEqual([
    ['Web-9', 'Web-12'],
    ['Web-0', 'Web-6'],
  ]);
  expect(await pages(storage, { limit: 9, query: 'EB-1' })).toEqual([
    ['Web-1', 'Web-10', 'Web-11', 'Web-12'],
  ]);
});

test('reads a limited part of the list per page for a rare name', async () => {
  const storage = await world(0);
  const row = { repository_id: 1, hostname: 'h', username: 'u', comment: '', seen_at: 0 };
  await storage.transaction(async (session) => {
    for (let n = 0; n < 6_000; n++)
      await session.insert(archives, {
        ...row,
        tool_id: `${n}`,
        name: n === 0 ? 'rare' : `a-${n}`,
        start: n,
      });
  });
  expect(await pages(storage, { limit: 3, query: 'rare' })).toEqual([[], ['rare']]);
}, 120_000);

test('returns only archives of a time, also from a place outside of it', async () => {
  const storage = await world(13);
  const within = { limit: 2, from: 0, to: 3 };
  expect((await pages(storage, within)).toReversed().flat()).toEqual(
    [4, 5, 6, 7, 8, 9, 10, 11].map((n) => `Web-${n}`),
  );
  const from = async (before: string) =>
    (await readPage(storage, 1, { ...within, before })).rows.map(({ name }) => name);
  expect(await from('3-99')).toEqual(['Web-10', 'Web-11']);
  expect(await from('-1-99')).toEqual([]);
});
