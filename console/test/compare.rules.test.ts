import { expect, it } from 'vitest';
import { type Difference, kindOf, treeOf } from '../src/screens/archives/compare.rules.js';

const file = (size: number, mtime = '2026-03-01T02:00:00.000Z') => ({ type: 'file' as const, size, mtime });
const difference = (path: string, before: Difference['before'], after: Difference['after']): Difference => ({
  path,
  type: 'file',
  change: before ? (after ? 'changed' : 'removed') : 'added',
  before,
  after,
});

it('adds up folders, joins those with one folder, and puts the largest change first', () => {
  const tree = treeOf([
    difference('home/ann/a.txt', null, file(5)),
    difference('home/ann/old/b.txt', file(50), null),
    difference('home/ann/old/c.txt', file(1), file(2)),
  ]);
  expect([tree.counts, tree.bytes]).toEqual([{ added: 1, changed: 1, removed: 1, touched: 0 }, -44]);
  const [ann] = tree.children;
  expect([ann?.name, ann?.path]).toEqual(['home/ann', 'home/ann']);
  expect(ann?.children.map(({ name, bytes }) => [name, bytes])).toEqual([
    ['old', -49],
    ['a.txt', 5],
  ]);
});

it('keeps a new folder with its one folder apart', () => {
  const made = { type: 'directory' as const, size: 0, mtime: null };
  const tree = treeOf([difference('new', null, made), difference('new/in/a', null, file(1))]);
  expect(tree.children.map(({ name, own }) => [name, own?.change])).toEqual([['new', 'added']]);
});

it.each([
  [file(1), file(1, '2026-03-02T02:00:00.000Z'), 'touched'],
  [file(1), file(2, '2026-03-02T02:00:00.000Z'), 'changed'],
  [file(1), file(1), 'changed'],
  [null, file(1), 'added'],
])('tells another time from a change: %j, %j', (before, after, kind) => {
  expect(kindOf(difference('a', before, after))).toBe(kind);
});
