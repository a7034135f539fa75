import { describe, expect, test } from 'vitest';
import { archiveArgument, repositoryArgument } from '../src/location.js';
import { parseFreedBytes } from '../src/parse/sizes.js';
import { parseToolTime } from '../src/parse/time.js';
import { exactPathPattern } from '../src/path-pattern.js';
import { checkVersion } from '../src/version.js';

describe('locations', () => {
  test('are passed literally', () => {
    expect(repositoryArgument('/a b/{now}')).toBe('/a b/{{now}}');
    expect(archiveArgument('ssh://u@h:22/r', '-x::{pid} ü')).toBe('ssh://u@h:22/r::-x::{{pid}} ü');
  });

  test.each(['relative', '/a::b', '/a:', '/a\0b', '/bad\udcff'])('%j is refused', (location) => {
    expect(() => repositoryArgument(location)).toThrowError(expect.objectContaining({ kind: 'usage' }));
  });

  test.each(['', 'a/b', 'a\0'])('archive %j is refused', (archive) => {
    expect(() => archiveArgument('/r', archive)).toThrowError(expect.objectContaining({ kind: 'usage' }));
  });
});

test('turns a path into an ASCII pattern that matches nothing else', () => {
  expect(exactPathPattern('a/B_1.*\n-ü😀\udcff')).toBe(
    're:\\Aa/B_1\\x2e\\x2a\\x0a\\x2d\\xfc\\U0001f600\\udcff\\Z',
  );
});

test.each([
  ['2026-01-02T03:04:05.678901', Date.UTC(2026, 0, 2, 3, 4, 5) + 678.901],
  ['2026-01-02T03:04:05', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ['1969-12-31T23:59:59.500000', -500],
  ['99-01-01T00:00:00.000000', Date.parse('0099-01-01T00:00:00Z')],
])('time %s', (text, milliseconds) => {
  expect(parseToolTime(text)).toBe(milliseconds);
});

test.each([
  ['compaction freed about 2.73 kB repository space.', 2730],
  ['compaction freed about 0 B repository space.', 0],
  ['compaction freed about -1.20 MB repository space.', 0],
  ['compaction freed about 1.50 GB repository space.', 1_500_000_000],
  ['something else', null],
])('%s', (text, bytes) => {
  expect(parseFreedBytes(text)).toBe(bytes);
});

describe('versions', () => {
  test.each(['borg 1.2.4', 'borg 1.2.0', 'borg 1.4.5', 'borg 1.4.0rc1'])('%s', (line) => {
    expect(checkVersion(line)).toEqual({ name: 'borg', version: line.slice(5), line });
  });

  test.each(['borg-linux64', 'borg.exe', 'my borg', 'backup'])('accepts the file name %s', (name) => {
    expect(checkVersion(`${name} 1.2.4`)).toMatchObject({ version: '1.2.4' });
  });

  test.each([
    ['borg 1.1.18', 'tool_too_old'],
    ['borg 0.29.0', 'tool_too_old'],
    ['borg 2.0.0b10', 'tool_missing'],
    ['hello', 'tool_missing'],
  ])('%s: %s', (line, kind) => {
    expect(() => checkVersion(line)).toThrowError(expect.objectContaining({ kind }));
  });
});
