import { describe, expect, test } from 'vitest';
import {
  browseAddress,
  commonFolder,
  crumbsOf,
  outermost,
  parentOf,
} from '../src/screens/browse/paths.rules.js';
import { isCovered, type Selection, sizeOf, toggle } from '../src/screens/browse/selection.rules.js';

describe('paths in an archive', () => {
  test('lead to addresses that give every name back', () => {
    const path = 'home/ünder %2f/a?b#c&d/\\udce9';
    const address = browseAddress(3, 'nas 1', path);
    expect(address).toBe('/repositories/3/browse/nas%201/home/%C3%BCnder%20%252f/a%3Fb%23c%26d/%5Cudce9');
    expect(address.split('/').slice(5).map(decodeURIComponent).join('/')).toBe(path);
    expect(browseAddress(3, 'nas')).toBe('/repositories/3/browse/nas');
  });

  test('have folders above them', () => {
    expect(parentOf('home/ann/x')).toBe('home/ann');
    expect(parentOf('home')).toBe('');
    expect(crumbsOf('home/ann')).toEqual([
      ['home', 'home'],
      ['ann', 'home/ann'],
    ]);
    expect(crumbsOf('')).toEqual([]);
  });

  test.each([
    [['home/ann/a', 'home/ann/b'], 'home/ann'],
    [['home/ann/a', 'home/bob/b'], 'home'],
    [['home/ann/a'], 'home/ann'],
    [['home'], ''],
    [['a/b/c', 'a/b'], 'a'],
  ])('%j are inside %j', (paths, folder) => expect(commonFolder(paths)).toBe(folder));

  test('inside a selected folder are removed in any order', () => {
    expect(outermost(['a/b/c', 'a-b', 'a', 'a/b', 'a'])).toEqual(['a', 'a-b']);
    expect(outermost(['', 'a'])).toEqual(['']);
  });
});

describe('a selection', () => {
  const none: Selection = new Map();

  test('drops entries inside a selected folder', () => {
    const files = toggle(toggle(none, 'a/x', 1), 'b', 2);
    const folder = toggle(files, 'a', 10);
    expect([...folder]).toEqual([
      ['b', 2],
      ['a', 10],
    ]);
    expect(isCovered(folder, 'a/x')).toBe(true);
    expect(toggle(folder, 'a/x', 1)).toBe(folder);
    expect([...toggle(folder, 'a', 10).keys()]).toEqual(['b']);
  });

  test('has a size if all sizes are known', () => {
    expect(sizeOf(none)).toBe(0);
    expect(sizeOf(toggle(toggle(none, 'a', 1), 'b', 2))).toBe(3);
    expect(sizeOf(toggle(toggle(none, 'a', null), 'b', 2))).toBeNull();
  });
});
