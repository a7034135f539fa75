import { describe, expect, test } from 'vitest';
import { EntryParser } from '../src/parse/entries.js';
import { decodeUnicodeEscape } from '../src/parse/unicode-escape.js';

/** As borg 1.2.4 and 1.4.5 print it for a tree with hard links, a symlink and odd names. */
const recorded = [
  'd drwxr-xr-x 0 2026-01-21T10:47:42.092525 healthy 0 0 0\\x00root\\x00root\\x00\\x00t/s\\x00mark\\x00',
  '- -rw-r--r-- 3 2026-01-21T10:47:41.978561 healthy 1 0 0\\x00root\\x00root\\x00\\x00t/s/b\\x00mark\\x00',
  '- hrw-r--r-- 0 2026-01-21T10:47:41.978561 healthy 0 0 0\\x00root\\x00root\\x00t/s/b\\x00t/s/a\\x00mark\\x00',
  'l lrwxrwxrwx 7 2026-01-21T10:47:41.978561 healthy 0 0 0\\x00root\\x00root\\x00nowhere\\x00t/s/l\\x00mark\\x00',
  '- -rw-r--r-- 1 2026-01-21T10:47:42.092458 broken 1 0 0\\x00root\\x00root\\x00\\x00t/s/bad\\udcff\\udcfe\\x00mark\\x00',
  '- hrw-r--r-- 0 2026-01-21T10:47:42.092458 healthy 0 0 0\\x00root\\x00root\\x00t/s/bad??\\x00t/s/second\\x00mark\\x00',
  '- -rw-r--r-- 1 1969-12-31T23:59:59.500000 healthy 1 0 0\\x00root\\x00root\\x00\\x00t/s/new\\nline\\x00mark\\x00',
  '- -rw-r--r-- 1 2026-01-21T10:47:42.092567 healthy 1 0 0\\x001000\\x00root\\x00\\x00\\xfc\\U0001f600\\\\x00z\\\\\\x00mark\\x00',
].join('');

const parseInPieces = (size: number) => {
  const parser = new EntryParser('mark');
  const entries = [];
  for (let from = 0; from < recorded.length; from += size)
    entries.push(...parser.push(recorded.slice(from, from + size)));
  return { entries, isComplete: parser.isComplete };
};

describe('EntryParser', () => {
  test('reads every kind of entry', () => {
    const { entries, isComplete } = parseInPieces(recorded.length);
    expect(isComplete).toBe(true);
    expect(entries.map(({ path }) => path)).toEqual([
      't/s',
      't/s/b',
      't/s/a',
      't/s/l',
      't/s/bad\udcff\udcfe',
      't/s/second',
      't/s/new\nline',
      'ü😀\\x00z\\',
    ]);
    expect(entries.map(({ type }) => type).join()).toBe('directory,file,file,symlink,file,file,file,file');
    expect(entries[1]).toEqual({
      path: 't/s/b',
      type: 'file',
      mode: '-rw-r--r--',
      user: 'root',
      group: 'root',
      uid: 0,
      gid: 0,
      size: 3,
      mtime: Date.parse('2026-01-21T10:47:41Z') + 978.561,
      hardLinkTarget: null,
      symlinkTarget: null,
      healthy: true,
    });
    expect(entries[2]).toMatchObject({ hardLinkTarget: 't/s/b', mode: '-rw-r--r--', size: 0 });
    expect(entries[3]).toMatchObject({ symlinkTarget: 'nowhere', hardLinkTarget: null });
    expect(entries[4]?.healthy).toBe(false);
    expect(entries[6]?.mtime).toBe(-500);
  });

  test('marks a file that has more chunks than its size allows', () => {
    const parser = new EntryParser('mark');
    const entry = (size: number, chunks: number) =>
      `- -rw-r--r-- ${size} 2026-01-21T10:47:41.978561 healthy ${chunks} 0 0\\x00root\\x00root\\x00\\x00f\\x00mark\\x00`;
    const found = parser.push(entry(10, 400) + entry(0, 0) + entry(6400, 101));
    expect(found.map(({ healthy, oversized = false }) => [healthy, oversized])).toEqual([
      [false, true],
      [true, false],
      [true, false],
    ]);
  });

  test('finds the first name of a hard link behind its question marks', () => {
    expect(parseInPieces(recorded.length).entries[5]?.hardLinkTarget).toBe('t/s/bad\udcff\udcfe');
  });

  test.each([1, 2, 3, 7, 64, 101])('does not mind pieces of %d characters', (size) => {
    expect(parseInPieces(size)).toEqual(parseInPieces(recorded.length));
  });

  test.each([
    ['name', 'f\\x00mark\\x00', 'root'],
    [
      'owner',
      'f',
      'u\\x00g\\x00\\x00innocent\\x00other\\x00- -rw-r--r-- 0 2026-01-21T10:47:41.978561 healthy\\x00u',
    ],
  ])('rejects forged entries by a NUL in a %s', (_what, name, owner) => {
    const facts = 'l lrwxrwxrwx 0 2026-01-21T10:47:41.978561 healthy';
    const line = `${facts}\\x00${owner}\\x00g\\x00/victim\\x00${name}\\x00unknown\\x00`;
    expect(() => new EntryParser('unknown').push(line)).toThrow(/NUL/);
  });

  test('notices a listing that breaks off', () => {
    const parser = new EntryParser('mark');
    parser.push(recorded.slice(0, -10));
    expect(parser.isComplete).toBe(false);
  });
});

test('decodeUnicodeEscape undoes each form of escape', () => {
  expect(decodeUnicodeEscape('a\\\\n\\n\\t\\r\\x01\\xff\\u20ac\\U0001f600\\udc80')).toBe(
    'a\\n\n\t\r\x01ÿ€😀\udc80',
  );
});
