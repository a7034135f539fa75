import { canonicalPath } from '@holdfast/plugin-api/driver';
import { describe, expect, test } from 'vitest';
import { baseNameOf, parentOf, parseArchivePath } from '../../src/backup/archives/archive-path.rules.js';
import { isAppError } from '../../src/foundation/kernel/errors.js';

describe('paths that callers give', () => {
  test.each([
    ['', ''],
    ['/', ''],
    ['a/b', 'a/b'],
    ['/a/b', 'a/b'],
    ['a/b/', 'a/b'],
    ['-x/--rsh=y', '-x/--rsh=y'],
    ['a\nb/..c/d..', 'a\nb/..c/d..'],
  ])('reads %j as %j', (text, path) => expect(parseArchivePath(text, 'path')).toBe(path));

  test.each(['..', 'a/../b', '/..', 'a/..', '.', 'a/./b', 'a//b', '//', '//a', 'a//', 'a\0b'])(
    'refuses %j',
    (text) => {
      const parse = () => parseArchivePath(text, 'file_path');
      expect(parse).toThrowError(/^file_path must not/);
      try {
        parse();
      } catch (error) {
        expect(isAppError(error) && error.code).toBe('invalid');
      }
    },
  );
});

test.each([
  ['a/b', 'a/b'],
  ['.', ''],
  ['./a', 'a'],
  ['a/./b', 'a/b'],
  ['a//b/', 'a/b'],
  ['/a', 'a'],
  ['.hidden/..x', '.hidden/..x'],
])('normalises %j of a tool to %j', (written, path) => expect(canonicalPath(written)).toBe(path));

test('splits parents and names', () => {
  expect([parentOf('a/b/c'), parentOf('a'), parentOf('')]).toEqual(['a/b', '', '']);
  expect([baseNameOf('a/b/c'), baseNameOf('a')]).toEqual(['c', 'a']);
});
