import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { searchArchive, searchRepository } from '../../src/backup/archives/search-archive.js';
import { type ArchiveScene, archiveScene } from './archive-scene.js';
import { directory, entry } from './listing/listing-world.js';

const count = 300;
const path = (index: number) => `deep/${'a/'.repeat(50)}file-${index}`;

let scene: ArchiveScene;
beforeEach(async () => {
  scene = await archiveScene();
  scene.tool.entries = [
    directory('deep'),
    ...Array.from({ length: count }, (_, index) => entry(path(index))),
  ];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await scene.end();
});

const input = { query: '**/a/**/a/**/f*9', mode: 'glob', case_sensitive: true, limit: 100 } as const;
const everything = { min_size: 0, max_size: Number.MAX_SAFE_INTEGER, deleted: false, cursor: 0 };
const inOne = (more: object = {}, mostMs?: number) =>
  searchArchive(scene.dependencies, mostMs)({ ...scene.of, archive: 'first', offset: 0, ...input, ...more });
const inAll = (mostMs?: number) =>
  searchRepository(scene.dependencies, mostMs)({ ...scene.of, ...everything, cached_only: false, ...input });

test('finds paths by a pattern', async () => {
  const { items, truncated } = await inOne();
  expect([items.length, truncated]).toEqual([30, false]);
  expect(items.map((item) => item.path)).toContain(path(9));
  const all = await inAll();
  expect([all.items.length, all.truncated, all.not_searched]).toEqual([30, false, []]);
});

test('returns partial results as truncated after the time limit', async () => {
  expect(await inOne({}, 0)).toMatchObject({ items: [], truncated: true });
  expect(await inAll(0)).toMatchObject({ items: [], truncated: true, not_searched: ['first', 'second'] });
});

test('lets other requests run during a long search', async () => {
  await inOne();
  let now = 0;
  // As if each look at the clock came 10 ms after the last one.
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 10;
    return now;
  });
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  expect((await inOne()).items).toHaveLength(30);
  isOver = true;
  expect(turns).toBeGreaterThan(100);
});

test('ends when the client disconnects', async () => {
  const gone = new AbortController();
  gone.abort(new Error('gone'));
  const search = searchArchive(scene.dependencies);
  await expect(search({ ...scene.of, archive: 'first', offset: 0, ...input }, gone.signal)).rejects.toThrow(
    'gone',
  );
});
