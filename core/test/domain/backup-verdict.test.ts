import { describe, expect, it } from 'vitest';
import { type BackupFacts, type EarlierArchives, judgeBackup } from '../../src/domain/backup-verdict.js';
import type { FoundSource, SourceState } from '../../src/domain/found-source.js';

const statsOf = (files: number, originalSize = files * 100) => ({
  ...{ files, originalSize, compressedSize: originalSize, deduplicatedSize: originalSize },
});
const at = (path: string, state: SourceState, pointsTo?: string): FoundSource => ({
  ...{ path, state },
  ...(pointsTo ? { pointsTo } : {}),
});
const none: EarlierArchives = { mayHoldFiles: false, filled: [], whole: null };
/** Two sources, both whole the last time, of 40 files. */
const before: EarlierArchives = {
  ...{ mayHoldFiles: true, filled: ['/a', '/b'] },
  whole: { name: 'last', files: 40, originalSize: 4_000 },
};
const judge = (facts: Partial<BackupFacts>, earlier = none, limit = 90) =>
  judgeBackup(
    { stats: statsOf(3), warnings: [], sources: [at('/a', 'present')], mayHoldFiles: true, ...facts },
    earlier,
    limit,
  );

describe('the result of a backup', () => {
  it.each<[string, Partial<BackupFacts>, EarlierArchives, string, string[], RegExp | null]>([
    ['all is there', {}, none, 'completed', [], null],
    ['nobody looked at the sources', { sources: [at('/a', 'unknown')] }, none, 'completed', [], null],
    [
      'the tool warned',
      { warnings: ['/a/x: Permission denied.'] },
      none,
      'completed_with_warnings',
      [],
      /denied/,
    ],
    [
      'its words are lost',
      { warnings: null },
      none,
      'completed_with_warnings',
      [],
      /stored what the tool said/,
    ],
    [
      'a folder that always was empty',
      { sources: [at('/a', 'present'), at('/b', 'empty')] },
      none,
      'completed',
      [],
      null,
    ],
    [
      'a folder that was not empty before',
      { stats: statsOf(30), sources: [at('/a', 'present'), at('/b', 'empty')] },
      ...([before, 'completed_with_warnings', ['/b'], /\/b is empty/] as const),
    ],
    [
      'a missing source that the tool names',
      { sources: [at('/a', 'present'), at('/b', 'missing')], warnings: ['/b: not there.'] },
      ...([none, 'completed_with_warnings', ['/b'], /^\/b: not there\.$/] as const),
    ],
    [
      'a missing source that the tool does not name',
      { sources: [at('/a', 'present'), at('/b', 'missing')], warnings: ['/bc: Permission denied.'] },
      ...([none, 'completed_with_warnings', ['/b'], /\/b: not found/] as const),
    ],
    [
      'an unreadable source',
      { sources: [at('/a', 'present'), at('/b', 'unreadable')] },
      ...([none, 'completed_with_warnings', ['/b'], /\/b: the service may not read it/] as const),
    ],
    [
      'a symlink beside files',
      { sources: [at('/a', 'present'), at('/b', 'symlink', '/srv/b')] },
      ...([none, 'completed_with_warnings', ['/b'], /\/b is a symlink to \/srv\/b/] as const),
    ],
  ])('%s', (_what, facts, earlier, status, lacking, remark) => {
    const verdict = judge(facts, earlier);
    expect(verdict).toMatchObject({ status, lacking, isNothing: false, collapsed: false });
    expect(verdict.remarks.join(' ')).toMatch(remark ?? /^$/);
  });

  it.each<[string, Partial<BackupFacts>, EarlierArchives, RegExp]>([
    ['all is excluded', {}, none, /exclude patterns/],
    [
      'the disk is not mounted',
      { sources: [at('/a', 'empty')], mayHoldFiles: false },
      before,
      /\/a is empty, and was not/,
    ],
    [
      'an imported repository has archives',
      { sources: [at('/a', 'empty')], mayHoldFiles: false },
      ...([{ ...none, mayHoldFiles: true }, /\/a is empty/] as const),
    ],
    ['it may not be read', { sources: [at('/a', 'unreadable')] }, none, /\/a: the service may not read it/],
    [
      'it is a symlink',
      { sources: [at('/a', 'symlink', '/b')], mayHoldFiles: false },
      none,
      /symlink to \/b/,
    ],
    [
      'one is empty, the other missing',
      { sources: [at('/a', 'empty'), at('/b', 'missing')], mayHoldFiles: false },
      ...([none, /\/b: not found/] as const),
    ],
  ])('nothing was saved: %s', (_what, facts, earlier, remark) => {
    const verdict = judge({ stats: statsOf(0), ...facts }, earlier);
    expect(verdict).toMatchObject({ status: 'failed', isNothing: true });
    expect(verdict.remarks.join(' ')).toMatch(remark);
  });

  it('may be an archive of an empty folder where there never was a file', () => {
    const facts = { stats: statsOf(0), sources: [at('/a', 'empty')], mayHoldFiles: false };
    expect(judge(facts)).toMatchObject({ status: 'completed', lacking: [], filled: [], remarks: [] });
  });

  it('remembers which sources held something, for as long as they are sources', () => {
    const sources = [at('/b', 'empty'), at('/c', 'present'), at('/d', 'unreadable')];
    expect(judge({ sources }, before).filled).toEqual(['/b', '/c']);
  });

  it.each([
    ['files', statsOf(3, 4_000), 90, true],
    ['files at the limit', statsOf(4, 4_000), 90, false],
    ['bytes', statsOf(40, 399), 90, true],
    ['less than a limit of its own', statsOf(20), 50, false],
    ['more than a limit of its own', statsOf(19), 50, true],
    ['whatever, without a limit', statsOf(1), 0, false],
    ['growth', statsOf(4_000), 90, false],
  ])('a fall of %s', (_what, stats, limit, isTold) => {
    const verdict = judge({ stats }, { ...before, filled: [] }, limit);
    expect([verdict.collapsed, verdict.status]).toEqual([
      isTold,
      isTold ? 'completed_with_warnings' : 'completed',
    ]);
    expect(verdict.remarks.join()).toMatch(isTold ? /archive last: a fall by more than/ : /^$/);
  });
});
