import { afterEach, beforeEach, expect, test } from 'vitest';
import { archive, containing, entry, indexWorld, repository, stream } from './index-world.js';

let world: ReturnType<typeof indexWorld>;
beforeEach(() => {
  world = indexWorld();
});
afterEach(() => world.end());

const names = [
  '100% sure.txt',
  'snake_case.py',
  'x',
  'Ünïcödé.TXT',
  'cafe\u0301',
  `${'long'.repeat(60)}.bin`,
  'a"b*c',
  'ΟΔΟΣΗΜΑ',
];

async function filled(more = 0) {
  const index = await world.indexes.open(repository);
  const others = Array.from({ length: more }, (_, n) => entry(`other/some file of many ${n}`));
  await index.add(archive(1), stream([...names.map((name) => entry(`d/${name}`)), ...others]));
  return index;
}

test.each([
  ['%', ['d/100% sure.txt']],
  ['_', ['d/snake_case.py']],
  ['_CASE', ['d/snake_case.py']],
  ['x', ['d/100% sure.txt', 'd/x', 'd/Ünïcödé.TXT']],
  ['nïc', ['d/Ünïcödé.TXT']],
  ['cafe\u0301', ['d/cafe\u0301']],
  ['A"B*', ['d/a"b*c']],
  ['οδοσ', ['d/ΟΔΟΣΗΜΑ']],
  ['ΟΔΟΣ', ['d/ΟΔΟΣΗΜΑ']],
  ['x'.repeat(10_000), []],
  ['\ud800\ud800\ud800', []],
])('finds the names with %j', async (text, expected) => {
  const index = await filled(3_000);
  const folded = (name: string) => name.normalize('NFC').toLowerCase().replaceAll('ς', 'σ');
  const search = {
    ...containing(text),
    matches: (_: string, name: string) => folded(name).includes(folded(text)),
  };
  const { items, next } = await index.search(search);
  expect(items.map(({ path }) => path)).toEqual(expected);
  expect(next).toBeNull();
});

test('looks at a page of names when all have the text', async () => {
  const index = await filled(10_000);
  for (const text of ['some file', 'o', '']) {
    let looks = 0;
    const matches = () => {
      looks++;
      return true;
    };
    const { items, next } = await index.search({ literal: text, matches, limit: 10 });
    expect([items.length, next !== null, looks <= 50]).toEqual([10, true, true]);
  }
});

test('ends early when its time is over, and continues later', async () => {
  const index = await filled(25_000);
  let looks = 0;
  const matches = (_: string, name: string) => {
    looks++;
    return name.endsWith(' 24999');
  };
  const found: string[] = [];
  let pages = 0;
  for (let after: number | null = 0; after !== null; pages++) {
    looks = 0;
    const page = await index.search({ literal: '', matches, limit: 10, after, isOver: () => looks > 5_000 });
    found.push(...page.items.map(({ path }) => path));
    after = page.next;
  }
  expect(found).toEqual(['other/some file of many 24999']);
  expect(pages).toBeGreaterThan(2);
  expect(pages).toBeLessThan(7);
});

test('stops when aborted', async () => {
  const index = await filled(25_000);
  const controller = new AbortController();
  const matches = () => {
    controller.abort(new Error('gone'));
    return false;
  };
  await expect(index.search({ literal: '', matches, limit: 10, signal: controller.signal })).rejects.toThrow(
    'gone',
  );
  expect((await index.search({ ...containing('sure') })).items).toHaveLength(1);
});
