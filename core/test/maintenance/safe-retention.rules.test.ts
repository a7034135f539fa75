import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  type JudgedArchive,
  keepsAnything,
  planRetention,
  planSafely,
  type RetentionRules,
} from '../../src/backup/maintenance/retention.rules.js';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 1, 12);
const minute = 60_000;

type Kind = 'whole' | 'lacking' | 'bad';
const archive = (id: string, start: number, kind: Kind = 'whole'): JudgedArchive => ({
  id,
  start,
  isGood: kind !== 'bad',
  isWhole: kind === 'whole',
});
const plan = (archives: JudgedArchive[], rules: RetentionRules, own: string | null = null) =>
  planSafely(archives, { rules, now, own });
const kept = (archives: JudgedArchive[], rules: RetentionRules, own: string | null = null) =>
  plan(archives, rules, own).kept.map(({ archive: { id }, reason }) => `${id}: ${reason}`);

const count = fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined });
const anyRules: fc.Arbitrary<RetentionRules> = fc.record(
  { hourly: count, daily: count, weekly: count, monthly: count, quarterly: count, yearly: count },
  { requiredKeys: [] },
);
const past = fc.integer({ min: now - 900 * day, max: now });
const list = (prefix: string, start: fc.Arbitrary<number>, kinds: Kind[]) =>
  fc
    .array(fc.tuple(start, fc.constantFrom(...kinds)), { maxLength: 40 })
    .map((all) =>
      all
        .map(([at, kind], index) => archive(`${prefix}${index}`, at, kind))
        .sort((a, b) => a.start - b.start),
    );
const sorted = (archives: JudgedArchive[]) => archives.toSorted((a, b) => a.start - b.start);

test('keeps pinned archives besides those of the rules', () => {
  const days = [5, 4, 3, 2, 1].map((ago) => archive(`${ago}`, now - ago * day));
  const pinned = (...ids: string[]) =>
    days.map((each) => (ids.includes(each.id) ? { ...each, pinned: 'why' } : each));
  expect(kept(pinned('5', '2'), { daily: 2 })).toEqual([
    '1: daily #1',
    '2: pinned: why',
    '3: daily #2',
    '5: pinned: why',
  ]);
  // The newest unpinned one stays, too: the pin may end.
  expect(kept(pinned('1'), { daily: 1 })).toEqual(['1: pinned: why', '2: daily #1']);
  expect(kept([{ ...archive('future', now + day), pinned: 'why' }], { daily: 1 })).toEqual([
    'future: pinned: why',
  ]);
});

test('keeps the same of the other archives, over random pins', () => {
  const property = fc.property(list('a', past, ['whole', 'lacking', 'bad']), anyRules, (archives, rules) => {
    const some = archives.map((each, n) => (n % 3 === 0 ? { ...each, pinned: 'why' } : each));
    const others = some.filter((each) => !('pinned' in each));
    const ids = plan(some, rules).kept.map((each) => each.archive.id);
    const expected = [...plan(others, rules).kept.map((each) => each.archive.id)];
    expect(ids.toSorted()).toEqual(
      [...expected, ...some.flatMap((each) => ('pinned' in each ? each.id : []))].toSorted(),
    );
  });
  fc.assert(property, { numRuns: 200 });
});

test('keeps the newest archive with each path that the last could not read', () => {
  const at = (id: string, days: number, unread: string[]) => ({ ...archive(id, now - days * day), unread });
  const archives = [
    at('all', 9, []),
    at('old', 8, []),
    at('without a', 7, ['/a']),
    at('without a', 6, ['/a']),
    at('without a and b', 1, ['/a', '/b']),
  ].map((each, index) => ({ ...each, id: `${each.id} ${index}` }));
  for (const each of archives) each.unread = [...each.unread, '/always'];
  expect(kept(archives, { daily: 1 })).toEqual([
    'without a and b 4: daily #1',
    'without a 3: newest archive with /b',
    'old 1: newest archive with /a',
  ]);
  const [last] = archives.slice(-1);
  if (last) last.unread = ['/always'];
  expect(kept(archives, { daily: 1 })).toEqual(['without a and b 4: daily #1']);
});

describe('safe retention', () => {
  it('follows the rules if all archives are complete and in the past', () => {
    fc.assert(
      fc.property(list('a', past, ['whole']), anyRules, (archives, rules) => {
        fc.pre(keepsAnything(rules));
        expect(plan(archives, rules)).toEqual(planRetention(archives, rules));
      }),
    );
  });

  it('never removes a complete archive because of bad, incomplete or future ones', () => {
    const future = fc.integer({ min: now + 11 * minute, max: now + 9_000 * day });
    const added = fc.tuple(
      list('x', past, ['lacking', 'bad']),
      list('f', future, ['whole', 'lacking', 'bad']),
    );
    fc.assert(
      fc.property(list('a', past, ['whole']), added, anyRules, (archives, others, rules) => {
        const before = plan(archives, rules).kept.map(({ archive: { id } }) => id);
        const after = plan(sorted([...archives, ...others.flat()]), rules);
        const stays = new Set(after.kept.map(({ archive: { id } }) => id));
        expect(before.filter((id) => !stays.has(id))).toEqual([]);
        expect(after.removed.filter(({ id }) => id.startsWith('f'))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('decides once per archive and keeps the newest complete, newest good and own', () => {
    const all = fc.tuple(list('a', past, ['whole', 'lacking', 'bad']), fc.nat(39));
    fc.assert(
      fc.property(all, anyRules, ([archives, index], rules) => {
        const own = archives[index]?.id ?? null;
        const { kept, removed } = plan(archives, rules, own);
        const ids = kept.map((each) => each.archive.id);
        expect([...ids, ...removed.map(({ id }) => id)].toSorted()).toEqual(
          archives.map(({ id }) => id).toSorted(),
        );
        const newestOf = (of: 'isWhole' | 'isGood') => archives.findLast((each) => each[of])?.id;
        const wanted = [newestOf('isWhole'), newestOf('isGood'), own].filter((id) => id != null);
        expect(ids).toEqual(expect.arrayContaining(wanted));
      }),
    );
  });

  it('reports archives kept in addition to the rules, with the reason', () => {
    const archives = [
      archive('own', now - 9 * day, 'bad'),
      archive('older', now - 8 * day),
      archive('whole', now - 3 * day),
      archive('good', now - 2 * day, 'lacking'),
      archive('bad', now - day, 'bad'),
      archive('soon', now + 9 * minute, 'bad'),
      archive('ahead', now + 11 * minute),
    ];
    expect(kept(archives, {}, 'own')).toEqual([
      'ahead: in the future',
      'good: newest good archive',
      'whole: newest archive with all sources',
      'own: made by the run that prunes',
    ]);
    expect(kept(archives, { daily: 1 })).toEqual([
      'ahead: in the future',
      'soon: daily #1',
      'good: newest good archive',
      'whole: daily #1',
    ]);
  });

  it('removes none while the clock is earlier than all of them', () => {
    const archives = [1, 2, 3].map((days) => archive(`${days}`, now + days * day));
    expect(plan(archives, { daily: 1 }).removed).toEqual([]);
  });
});
