import type { FoundSource, SourceState } from '@holdfast/plugin-api/driver';
import { describe, expect, it } from 'vitest';
import {
  type BackupFacts,
  type BackupLimits,
  type EarlierArchives,
  judgeBackup,
} from '../../src/backup/backups/backup-verdict.rules.js';

const statsOf = (files: number, originalSize = files * 100) => ({
  files,
  originalSize,
  compressedSize: originalSize,
  deduplicatedSize: originalSize,
});
const at = (path: string, state: SourceState, pointsTo?: string): FoundSource => ({
  path,
  state,
  ...(pointsTo ? { pointsTo } : {}),
});
const none: EarlierArchives = { mayHoldFiles: false, filled: [], whole: null };
/** Two sources, both whole the last time, of 40 files. */
const before: EarlierArchives = {
  mayHoldFiles: true,
  filled: ['/a', '/b'],
  whole: { name: 'last', files: 40, originalSize: 4_000 },
};
const judge = (facts: Partial<BackupFacts>, earlier = none, limit: Partial<BackupLimits> = {}) =>
  judgeBackup(
    { stats: statsOf(3), warnings: [], sources: [at('/a', 'present')], mayHoldFiles: true, ...facts },
    earlier,
    { shrink_warning_percent: 90, mass_change_percent: 50, mass_change_files: 1000, ...limit },
  );

it.each([
  ['what failed', { denied: ['/a/x'], failed: ['/a/net'], more: 0 }, ['/a/net']],
  ['what is too much', { denied: ['/a/x'], failed: [], more: 900 }, ['/a/x']],
  ['not what may not be read', { denied: ['/a/x'], failed: [], more: 0 }, []],
])('counts like a missing source: %s', (_what, unread, lacking) => {
  expect(judge({ unread, warnings: ['/a/x: open: Permission denied.'] })).toMatchObject({
    status: 'completed_with_warnings',
    lacking,
  });
});

describe('the result of a backup', () => {
  const withB = (state: SourceState, pointsTo?: string) => [at('/a', 'present'), at('/b', state, pointsTo)];

  it.each<[string, Partial<BackupFacts>, EarlierArchives]>([
    ['all is there', {}, none],
    ['nobody looked at the sources', { sources: [at('/a', 'unknown')] }, none],
    ['a folder that always was empty', { sources: withB('empty') }, none],
  ])('completed: %s', (_what, facts, earlier) => {
    const verdict = judge(facts, earlier);
    expect(verdict).toMatchObject({ status: 'completed', lacking: [], remarks: [], isNothing: false });
  });

  it.each<[string, Partial<BackupFacts>, string[], RegExp]>([
    ['the tool warned', { warnings: ['/a/x: Permission denied.'] }, [], /^\/a\/x: Permission denied\.$/],
    ['its words are lost', { warnings: null }, [], /before Borg's warnings were stored/],
    ['a folder that was not empty before', { sources: withB('empty') }, ['/b'], /\/b is empty, but was not/],
    [
      'a missing source that the tool names',
      { sources: withB('missing'), warnings: ['/b: not there.'] },
      ['/b'],
      /^\/b: not there\.$/,
    ],
    [
      'a missing source that the tool does not name',
      { sources: withB('missing'), warnings: ['/bc: Permission denied.'] },
      ['/b'],
      /^\/b: not found\. \/bc/,
    ],
    ['an unreadable source', { sources: withB('unreadable') }, ['/b'], /\/b: Holdfast cannot read it/],
    ['a symlink', { sources: withB('symlink', '/srv') }, ['/b'], /\/b is a symlink to \/srv/],
  ])('completed with warnings: %s', (_what, facts, lacking, remark) => {
    const verdict = judge({ stats: statsOf(30), ...facts }, before);
    const rest = { isNothing: false, collapsed: false };
    expect(verdict).toMatchObject({ status: 'completed_with_warnings', lacking, ...rest });
    expect(verdict.remarks.join(' ')).toMatch(remark);
  });

  it.each<[string, Partial<BackupFacts>, EarlierArchives, RegExp]>([
    ['all is excluded', {}, none, /exclude patterns/],
    [
      'the disk is not mounted',
      { sources: [at('/a', 'empty')], mayHoldFiles: false },
      before,
      /\/a is empty, but was not/,
    ],
    [
      'an imported repository has archives',
      { sources: [at('/a', 'empty')], mayHoldFiles: false },
      { ...none, mayHoldFiles: true },
      /\/a is empty/,
    ],
    ['it may not be read', { sources: [at('/a', 'unreadable')] }, none, /\/a: Holdfast cannot read it/],
    [
      'it is a symlink',
      { sources: [at('/a', 'symlink', '/b')], mayHoldFiles: false },
      none,
      /symlink to \/b/,
    ],
    [
      'one is empty, the other missing',
      { sources: [at('/a', 'empty'), at('/b', 'missing')], mayHoldFiles: false },
      none,
      /\/b: not found/,
    ],
  ])('failed, for nothing was saved: %s', (_what, facts, earlier, remark) => {
    const verdict = judge({ stats: statsOf(0), ...facts }, earlier);
    expect(verdict).toMatchObject({ status: 'failed', isNothing: true });
    expect(verdict.remarks.join(' ')).toMatch(remark);
  });

  it('accepts an archive of an empty folder that never had a file', () => {
    const facts = { stats: statsOf(0), sources: [at('/a', 'empty')], mayHoldFiles: false };
    expect(judge(facts)).toMatchObject({ status: 'completed', lacking: [], filled: [], remarks: [] });
  });

  it('remembers the current sources that had files', () => {
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
  ])('judges a decrease of %s', (_what, stats, limit, isTold) => {
    const verdict = judge({ stats }, { ...before, filled: [] }, { shrink_warning_percent: limit });
    expect([verdict.collapsed, verdict.status]).toEqual([
      isTold,
      isTold ? 'completed_with_warnings' : 'completed',
    ]);
    expect(verdict.remarks.join()).toMatch(isTold ? /archive last: more than \d+ % less/ : /^$/);
  });
});

it('warns once of file systems that were left out', () => {
  const skipped = ['/data/disk', '/data/home'];
  const first = judge({ skipped });
  expect(first.remarks.map(({ code, params }) => [code, params.paths])).toEqual([
    ['backup_skips_file_systems', skipped],
  ]);
  expect(judge({ skipped }, { ...none, skipped }).status).toBe('completed');
  const next = judge({ skipped: [...skipped, '/data/new'] }, { ...none, skipped });
  expect(next.remarks.map(({ params }) => params.paths)).toEqual([['/data/new']]);
});

it('warns of a mass change and names the archive before', () => {
  const delta = {
    before: 'a',
    filesBefore: 2_000,
    added: 0,
    changed: 1_500,
    removed: 0,
    renamed: 0,
    folders: [],
  };
  const verdict = judge({ delta }, { ...none, before: 'monday' });
  expect(verdict).toMatchObject({
    status: 'completed_with_warnings',
    remarks: [{ code: 'backup_mass_change' }],
    massChange: { changed: 1_500, before: { id: 'a', name: 'monday' } },
  });
  for (const without of [{ delta: null }, { delta: { ...delta, changed: 1_000 } }])
    expect(judge(without)).toMatchObject({ status: 'completed', remarks: [] });
});
