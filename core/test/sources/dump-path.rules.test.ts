import { describe, expect, it } from 'vitest';
import { dumpAt, pathOfDump } from '../../src/backup/sources/dump-path.rules.js';

const names = [
  'shop.dump',
  `it's "a" \`shop\``,
  '$(touch /tmp/pwned); *?[x]',
  'two\nlines\r\0',
  '..',
  '.',
  '../../etc/passwd',
  '/srv/app/shop.db',
  ' ',
  '%2F',
  '-rf',
  '数据库😀',
];

describe('paths of dumps', () => {
  it.each(names)('keep the name %j', (name) => {
    const place = { kind: 'sqlite', source: name, name };
    const path = pathOfDump(place);
    expect(path).toMatch(/^holdfast-sources\/sqlite\/[\w.%-]+\/[\w.%-]+$/);
    expect(path.split('/')).toHaveLength(4);
    expect(path.split('/').filter((part) => /^\.*$/.test(part))).toEqual([]);
    expect(dumpAt(path)).toEqual(place);
  });

  it('are different for different names', () => {
    const paths = new Set(names.map((name) => pathOfDump({ kind: 'sqlite', source: 'x', name })));
    expect(paths.size).toBe(names.length);
  });

  it.each(['x'.repeat(300), '/'.repeat(300), '数'.repeat(300), '😀'.repeat(300), 'é😀/'.repeat(100)])(
    'keep the end of the long name %j',
    (start) => {
      const name = `${start}.dump`;
      const path = pathOfDump({ kind: 'postgresql', source: name, name });
      for (const part of path.split('/')) expect(part.length).toBeLessThanOrEqual(200);
      const kept = dumpAt(path)?.name ?? '';
      expect(kept.length).toBeGreaterThan(15);
      expect(name.endsWith(kept)).toBe(true);
    },
  );

  it('are stable when a name is not valid text', () => {
    const place = { kind: 'sqlite', source: 'x', name: 'a\ud800b' };
    expect(pathOfDump(place)).toBe(pathOfDump(place));
    expect(dumpAt(pathOfDump(place))?.name).toBe('a\ufffdb');
  });

  it.each([
    'home/user/holdfast-sources/sqlite/x/y',
    'holdfast-sources/sqlite/x',
    'holdfast-sources/sqlite/x/y/z',
    'holdfast-sources/sqlite//y',
    'holdfast-sources/sqlite/x/%E6',
    'other/sqlite/x/y',
    '',
  ])('are not recognised in %j', (path) => {
    expect(dumpAt(path)).toBeNull();
  });
});
