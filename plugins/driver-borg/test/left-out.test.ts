import { expect, test } from 'vitest';
import { excludes } from '../src/exclude-matching.js';

test('applies excludes in custom flags and names those it cannot apply', () => {
  const flags = ['--exclude=*.iso', '-e', 'pp:/srv/a', '--pattern', '- srv/b', '--exclude-caches', '-x'];
  const { excluded, unknown, oneFileSystem } = excludes(['*.tmp'], [...flags, '--pattern=+ srv/b/c']);
  const paths = ['/srv/x.tmp', '/srv/x.iso', '/srv/a/f', '/srv/b/f', '/srv/c'];
  expect(paths.map(excluded)).toEqual([true, true, true, true, false]);
  expect(unknown).toEqual(['--exclude-caches', '--pattern=+ srv/b/c']);
  expect(oneFileSystem).toBe(true);
  expect(excludes([], []).oneFileSystem).toBe(false);
});
