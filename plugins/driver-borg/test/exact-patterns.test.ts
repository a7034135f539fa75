import { expect, it } from 'vitest';
import { exactPatterns } from '../src/path-pattern.js';

/** As Python reads them. */
const matches = (patterns: readonly string[], path: string) =>
  patterns.some((pattern) =>
    new RegExp(
      pattern.slice('re:\\A'.length, -'\\Z'.length).replace(/^/, '^(?:').concat(')$(?![\\s\\S])'),
    ).test(path),
  );

it('matches these paths and no other, neither above nor below', () => {
  const paths = [
    'a',
    'home/ann/x.txt',
    'home/ann/y',
    'home/ben/x.txt',
    'home/two\nlines',
    'über/ß',
    'b/c/d/e',
  ];
  const patterns = exactPatterns(paths);
  expect(patterns).toHaveLength(1);
  for (const path of paths) expect(matches(patterns, path)).toBe(true);
  for (const path of ['home', 'home/ann', 'home/ann/x', 'home/ann/xytxt', 'a/b', 'ba', 'home/ben/y', 'b/c/d'])
    expect(matches(patterns, path)).toBe(false);
});

it('uses few arguments of a safe length for many and deep paths', () => {
  const many = Array.from({ length: 5_000 }, (_, n) => `folder-${n % 50}/a name with spaces ${n}.txt`);
  const patterns = exactPatterns([...many, `${'d/'.repeat(2_000)}e`]);
  expect(patterns.length).toBeLessThan(10);
  for (const pattern of patterns) expect(pattern.length).toBeLessThan(128 * 1024);
  expect(matches(patterns, `${'d/'.repeat(2_000)}e`)).toBe(true);
  expect(many.filter((_, n) => n % 997 === 0).every((path) => matches(patterns, path))).toBe(true);
});
