import { describe, expect, it } from 'vitest';
import { fateOf, isMoreThanHalf, previewOf } from '../src/screens/repositories/maintenance/prune.rules.js';
import { byNeed } from '../src/screens/repositories/need.rules.js';
import { bodyOf } from '../src/screens/repositories/settings/settings.rules.js';
import { changesOf, conflictsOf, rebase } from '../src/ui/merge.rules.js';

describe('the list of repositories', () => {
  it('lists those that need attention first, then sorts by name', () => {
    const row = (id: number, name: string, status: string, damaged = false) =>
      ({ id, name, status, damaged }) as never;
    const rows = byNeed(
      [
        row(1, 'b', 'protected'),
        row(2, 'a', 'protected'),
        row(3, 'c', 'late'),
        row(4, 'd', 'unknown'),
        row(5, 'e', 'unknown', true),
        row(6, 'f', 'protected'),
      ],
      [{ id: 6, open_error: 'gone' } as never],
    );
    expect(rows.map(({ name }) => name)).toEqual(['e', 'f', 'c', 'd', 'a', 'b']);
  });
});

describe('a form edited by two users', () => {
  const base = { name: 'a', folders: ['/x'], hours: null as number | null };

  it('sends only changed values', () => {
    expect(changesOf(base, { ...base, folders: ['/x'], hours: 3 })).toEqual({ hours: 3 });
  });

  it('asks only about fields that both changed to different values', () => {
    const mine = { ...base, name: 'mine', hours: 3 };
    expect(conflictsOf(base, mine, { ...base, name: 'theirs', folders: [] })).toEqual(['name']);
    expect(conflictsOf(base, mine, { ...base, name: 'mine' })).toEqual([]);
    expect(rebase(base, mine, { ...base, folders: ['/y'] })).toEqual({
      name: 'mine',
      folders: ['/y'],
      hours: 3,
    });
  });

  it('omits sources if a source set is used', () => {
    const changes = { name: 'n', source_directories: ['/x'], exclude_patterns: [] };
    expect(bodyOf(changes, 4)).toEqual({ name: 'n' });
    expect(bodyOf(changes, null)).toEqual(changes);
  });
});

describe('the preview of a prune', () => {
  it('wants the number typed for more than half', () => {
    expect([isMoreThanHalf(2, 4), isMoreThanHalf(3, 4)]).toEqual([false, true]);
  });

  it('distinguishes archives that are kept, pinned and removed', () => {
    const fates = ['daily #3', 'pinned: tax', 'removed', 'newest good archive'].map((rule) =>
      fateOf({ name: 'a', start: '2026-03-01T00:00:00.000Z', rule }),
    );
    expect(fates).toEqual(['kept', 'pinned', 'removed', 'kept']);
  });

  it('asks for lost files with exactly the rules that were tried', () => {
    const counts = { prune_keep_hourly: 0, prune_keep_daily: 7, prune_keep_weekly: 0 };
    const others = { prune_keep_monthly: 0, prune_keep_quarterly: 0, prune_keep_yearly: 0 };
    expect(previewOf(4, { keep_daily: 7, timezone: null })).toEqual({
      ...{ repository_id: 4, schedule_id: null, prune_keep_within: null, lost: true },
      ...counts,
      ...others,
    });
    const tried = { keep_within: '2d', schedule_id: 3, timezone: 'Europe/Berlin' };
    expect(previewOf(4, tried)).toMatchObject({
      prune_keep_within: '2d',
      schedule_id: 3,
      timezone: 'Europe/Berlin',
    });
  });
});
