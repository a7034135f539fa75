import { describe, expect, it } from 'vitest';
import { comparePath, type Restored, type Source, sameTime } from '../../src/backup/drills/compare.rules.js';
import { entryOf } from './entries.js';

const entry = entryOf('home/ann/letter', { size: 10, mtime: 1_700_000_000_123.456 });
const restored: Restored = {
  type: 'file',
  size: 10,
  mtime: 1_700_000_000_123.456,
  linkTarget: null,
  sha256: 'aa',
};
const source: Source = { unchanged: true, ctime: 5, sha256: 'aa' };
const compare = (more: Partial<Parameters<typeof comparePath>[0]> = {}) =>
  comparePath({ entry, path: entry.path, restored, source: null, archiveStart: 100, ...more });

describe('the verdict on a path', () => {
  it('is passed by the listing alone, or by the hash of its source', () => {
    expect(compare()).toMatchObject({ verdict: 'passed', bySource: false, source: 'not_here', sha256: 'aa' });
    expect(compare({ source })).toMatchObject({ verdict: 'passed', bySource: true, source: 'unchanged' });
  });

  it.each([
    [null, 'drill_not_restored'],
    [{ ...restored, type: 'directory' as const }, 'drill_other_type'],
    [{ ...restored, size: 9 }, 'drill_other_size'],
    [{ ...restored, mtime: restored.mtime + 1 }, 'drill_other_time'],
  ])('fails for %j', (found, code) => {
    expect(compare({ restored: found })).toMatchObject({ verdict: 'failed', reason: { code } });
  });

  it('accepts whole seconds of a file system without finer times', () => {
    expect(compare({ restored: { ...restored, mtime: 1_700_000_000_000 } }).verdict).toBe('passed');
    expect(compare({ restored: { ...restored, mtime: 1_700_000_003_000 } }).verdict).toBe('failed');
  });

  it('compares the targets of symlinks, not their times', () => {
    const link = entryOf('way', { type: 'symlink', symlinkTarget: 'there', size: 5 });
    const found: Restored = { type: 'symlink', size: 5, mtime: 7, linkTarget: 'there', sha256: null };
    expect(compare({ entry: link, restored: found }).verdict).toBe('passed');
    const other = compare({ entry: link, restored: { ...found, linkTarget: 'elsewhere' } });
    expect(other).toMatchObject({ verdict: 'failed', reason: { code: 'drill_other_link_target' } });
  });

  it('ignores the size of a further hard link', () => {
    const further = entryOf('b', { ...entry, hardLinkTarget: 'a', size: 0 });
    expect(compare({ entry: further }).verdict).toBe('passed');
  });

  it('is not failed if the source changed or is gone', () => {
    const changed: Source = { unchanged: false, ctime: 500, sha256: null };
    expect(compare({ source: changed })).toMatchObject({ verdict: 'passed', source: 'changed' });
    expect(compare({ source: 'missing' })).toMatchObject({ verdict: 'passed', source: 'missing' });
  });

  it('fails for other content only if the source was not written since the backup', () => {
    const other = { ...source, sha256: 'bb' };
    expect(compare({ source: other })).toMatchObject({
      verdict: 'failed',
      bySource: true,
      reason: { code: 'drill_differs_from_source' },
    });
    const written = compare({ source: { ...other, ctime: 100 } });
    expect(written).toMatchObject({ verdict: 'passed', source: 'changed', bySource: false });
  });

  it('compares times as exactly as the listing has them', () => {
    expect(sameTime(1_000.123, 1_000.1235)).toBe(true);
    expect(sameTime(1_000.123, 1_000.126)).toBe(false);
  });
});
