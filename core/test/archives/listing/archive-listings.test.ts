import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  entriesBelow,
  findEntry,
  recordsBelow,
} from '../../../src/backup/archives/listing/listing-lookup.js';
import { at, directory, entry, type ListingWorld, listingWorld } from './listing-world.js';

let world: ListingWorld;
beforeEach(async () => {
  world = await listingWorld();
});
afterEach(async () => {
  expect(await world.leftOver()).toEqual([]);
  await world.end();
});

const below = (entries: Iterable<ArchiveEntry>, path: string) =>
  world.read(entries, (listing) => entriesBelow(listing, path));
const find = (entries: Iterable<ArchiveEntry>, path: string) =>
  world.read(entries, (listing) => findEntry(listing, path));

describe('one directory', () => {
  test('returns its entries for any spelling of its accents', async () => {
    const entries = [entry('Cafe\u0301/menu'), directory('Cafe\u0301')];
    expect(await world.names(entries, 'Caf\u00e9')).toEqual(['menu']);
    expect(await world.names([entry('Caf\u00e9/menu')], 'Cafe\u0301')).toEqual(['menu']);
  });

  test('contains only its own entries despite similar names', async () => {
    const entries = [
      entry('a/1'),
      entry('ab/2'),
      entry('a/b/3'),
      entry('a b/4'),
      entry('A/5'),
      entry('a/bc'),
    ];
    expect(await world.names(entries, 'a')).toEqual(['1', 'b', 'bc']);
    expect(await world.names(entries, 'ab')).toEqual(['2']);
    expect(await world.names(entries, 'a/b')).toEqual(['3']);
    expect(await world.names(entries, '')).toEqual(['A', 'a', 'a b', 'ab']);
    expect(await world.names(entries, 'b')).toBeNull();
    expect(world.builds).toBe(1);
  });

  test('sums its subtree with implied directories and hard links', async () => {
    const entries = [
      directory('d', { mtime: at }),
      entry('d/x', { size: 5 }),
      entry('d/e/f/y', { size: 70 }),
      entry('other/z', { size: 0, hardLinkTarget: 'd/x' }),
    ];
    const root = await below(entries, '');
    expect(root?.entries).toMatchObject([
      { name: 'd', type: 'directory', size: 75, mtime: at },
      { name: 'other', type: 'directory', size: 5, mtime: null },
    ]);
    expect(await find(entries, 'd/e')).toMatchObject({ type: 'directory', size: 70, mtime: null });
    expect(await find(entries, 'other/z')).toMatchObject({ type: 'file', size: 5, hardLinkTarget: 'd/x' });
  });

  test('is empty for an archive without entries', async () => {
    expect(await below([], '')).toBeNull();
    expect(await find([], 'a')).toBeNull();
    expect(await below([directory('.')], '')).toBeNull();
  });

  test('appears in its parent even when empty', async () => {
    const entries = [directory('a'), directory('a/empty')];
    expect(await below(entries, 'a/empty')).toBeNull();
    expect(await find(entries, 'a/empty')).toMatchObject({ type: 'directory', size: 0 });
  });
});

describe('names', () => {
  const odd = [
    'grüße 🎉',
    'line\nbreak',
    'tab\t"quote"\\',
    '-x',
    '__proto__',
    'bad\udcff',
    ' ',
    'a\\udcffb',
    '日本',
  ];

  test('finds names of every kind unchanged', async () => {
    const entries = odd.flatMap((name) => [directory(name), entry(`${name}/${name}`)]);
    expect(await world.names(entries, '')).toEqual([...odd].sort());
    for (const name of odd) expect(await world.names(entries, name)).toEqual([name]);
    for (const name of odd)
      expect(await find(entries, `${name}/${name}`)).toMatchObject({ path: `${name}/${name}` });
  });

  test('finds undecodable names by their escaped form, after a literal match', async () => {
    const entries = [
      entry('d\udcfe/x\udcff', { size: 1 }),
      entry('lit\\udcff', { size: 2 }),
      entry('lit\udcff', { size: 3 }),
    ];
    expect(await find(entries, 'd\\udcfe/x\\udcff')).toMatchObject({ path: 'd\udcfe/x\udcff', size: 1 });
    expect((await below(entries, 'd\\udcfe'))?.path).toBe('d\udcfe');
    expect(await find(entries, 'lit\\udcff')).toMatchObject({ path: 'lit\\udcff', size: 2 });
    expect(await find(entries, 'lit\udcff')).toMatchObject({ size: 3 });
    expect(await find(entries, 'lit\\udcfe')).toBeNull();
  });

  test('prefer the literal one of two directories that look alike', async () => {
    const entries = [entry('e\udcff/bytes'), entry('e\\udcff/literal')];
    expect((await below(entries, 'e\\udcff'))?.path).toBe('e\\udcff');
    expect((await below(entries, 'e\udcff'))?.path).toBe('e\udcff');
  });

  test('keep the spelling of the tool for requests to it', async () => {
    const entries = [entry('./a/b', { size: 9 }), entry('./a/c', { hardLinkTarget: './a/b', size: 0 })];
    expect(await find(entries, 'a/b')).toMatchObject({ toolPath: './a/b' });
    expect(await find(entries, 'a/c')).toMatchObject({ hardLinkTarget: './a/b', size: 9 });
  });

  test('finds names at great depth', async () => {
    const path = Array.from({ length: 1500 }, (_, level) => level).join('/');
    expect(await find([entry(path, { size: 4 })], path)).toMatchObject({ size: 4 });
    expect(await find([entry(path, { size: 4 })], '0')).toMatchObject({ type: 'directory', size: 4 });
  });

  test.each([
    ['one path of 30,000 parts', [entry('a/'.repeat(30_000))]],
    ['hundreds of 2,000', Array.from({ length: 200 }, (_, n) => entry(`${n}/${'a/'.repeat(2_000)}`))],
  ])('are refused if nested too deep: %s', async (_, entries) => {
    await expect(find(entries, 'a')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(/nested so deep/),
    });
  });
});

test('shows a further link of a damaged file as damaged', async () => {
  const entries = [entry('a/f', { healthy: false }), entry('b/h', { hardLinkTarget: './a/f' }), entry('b/g')];
  expect(await find(entries, 'b/h')).toMatchObject({ healthy: false });
  expect(await find(entries, 'b/g')).toMatchObject({ healthy: true });
});

test('counts a file listed twice once, with its first content', async () => {
  const entries = [
    entry('s/a/f', { size: 3 }),
    directory('s/a'),
    entry('s/a/f', { size: 0, hardLinkTarget: 's/a/f' }),
    entry('s/a/g', { size: 4 }),
    entry('s/a/g', { size: 6 }),
  ];
  expect(await find(entries, 's/a/f')).toMatchObject({ size: 3, hardLinkTarget: null });
  expect(await find(entries, 's')).toMatchObject({ size: 7 });
  expect(await world.names(entries, 's/a')).toEqual(['f', 'g']);
});

describe('a large archive', () => {
  function* many(big = 200_000): Generator<ArchiveEntry> {
    for (let n = 0; n < big; n++) yield entry(`big/file ${n}`, { size: n });
    for (let n = 0; n < 20_000; n++) yield entry(`small/${n % 997}/${n}`);
  }

  test('splits a directory of 200,000 entries into several pages', async () => {
    const big = await below(many(), 'big');
    expect(new Set(big?.entries.map(({ name }) => name)).size).toBe(200_000);
    expect(await find(many(), 'big/file 123456')).toMatchObject({ size: 123_456 });
    expect(await find(many(), 'big/file 200000')).toBeNull();
    expect(await find(many(), 'big')).toMatchObject({ size: (200_000 * 199_999) / 2 });
    expect(await world.names(many(), 'small/5')).toHaveLength(21);
    const large = await world.read(many(), async ({ header }) => header.large);
    const [path, , bounds = [], counts = []] = large[0] ?? [];
    expect([large.length, path, counts.length]).toEqual([1, 'big', bounds.length + 1]);
    expect(counts.length).toBeGreaterThan(20);
    expect(counts.reduce((sum, count) => sum + count)).toBe(200_000);
    expect(world.builds).toBe(1);
  });

  test('reads part of a large directory from one or two pages', async () => {
    const seen = await world.read(many(), async (listing) => {
      const pages: number[] = [];
      const page = (number: number) => {
        pages.push(number);
        return listing.page(number);
      };
      const counting = { ...listing, page };
      const all = await recordsBelow(listing, 'big');
      const part = await recordsBelow(counting, 'big', { offset: 123_000, limit: 1_000 });
      const end = await recordsBelow(counting, 'big', { offset: 199_999, limit: 5 });
      const behind = await recordsBelow(counting, 'big', { offset: 300_000, limit: 5 });
      return { all, part, end, behind, pages };
    });
    const names = seen.all?.records.map(([name]) => name) ?? [];
    expect(names).toEqual([...names].sort());
    expect(seen.part).toEqual({
      path: 'big',
      total: 200_000,
      records: seen.all?.records.slice(123_000, 124_000),
    });
    expect(seen.end?.records).toEqual(seen.all?.records.slice(-1));
    expect(seen.behind).toEqual({ path: 'big', total: 200_000, records: [] });
    expect(seen.pages.length).toBeLessThanOrEqual(3);
  });

  test('handles names of every kind and duplicates in a directory', async () => {
    const name = (n: number) =>
      `${n % 3 ? 'File' : 'file'} ${n} of a directory with names that are long enough`;
    const entries = Array.from({ length: 9_000 }, (_, n) => entry(`big/${name(n)}`, { size: 1 }));
    const odd = [
      ...[
        entry('big/bad\udcff name', { size: 2 }),
        entry('big/Twice', { size: 3 }),
        entry('big/Twice', { size: 4 }),
      ],
      ...[
        entry('big/both', { size: 5 }),
        directory('big/both', { mtime: at }),
        entry('big/both/below', { size: 6 }),
      ],
      ...[entry('big/zzz/below', { size: 7 })],
    ];
    const found = await world.read([...entries, ...odd], async (listing) => ({
      pages: listing.header.large.flatMap(([, , , counts]) => counts).length,
      all: await recordsBelow(listing, 'big'),
      part: await recordsBelow(listing, 'big', { offset: 1, limit: 8_000 }),
      bad: await findEntry(listing, 'big/bad\\udcff name'),
      both: await findEntry(listing, 'big/both'),
      twice: await findEntry(listing, 'big/Twice'),
    }));
    expect(found.pages).toBeGreaterThan(2);
    const names = found.all?.records.map(([name]) => name) ?? [];
    expect(names.slice(0, 3)).toEqual(['both', 'zzz', 'bad\udcff name']);
    expect(new Set(names).size).toBe(names.length);
    expect([names.length, found.all?.total]).toEqual([9_004, 9_004]);
    expect(found.part?.records).toEqual(found.all?.records.slice(1, 8_001));
    expect(found.bad).toMatchObject({ path: 'big/bad\udcff name', size: 2 });
    expect(found.both).toMatchObject({ type: 'directory', mtime: at });
    expect(found.twice).toMatchObject({ type: 'file', size: 3 });
  });

  test('is stored in pages, compressed above 100 KB', async () => {
    await below(many(40_000), 'big');
    const values = [...world.cache.values];
    expect(values.length).toBeGreaterThan(10);
    for (const [key, value] of values) {
      expect(key).toMatch(/^archive:1:one(\/\d+)?$/);
      expect([0, 1]).toContain(value[0]);
      if (value[0] === 0) expect(value.length).toBeLessThanOrEqual(102_409);
      else expect(value.subarray(9, 11)).toEqual(Buffer.from([0x78, 0x9c]));
    }
    expect(values.some(([, value]) => value[0] === 1)).toBe(true);
  });
});
