import { expect, test } from 'vitest';
import { t } from '../src/i18n/messages.js';
import german from '../src/messages/de/maintenance.js';
import english from '../src/messages/en/maintenance.js';
import {
  byMonth,
  cursorOf,
  inOrder,
  isPrunedNext,
  monthAway,
  weeksOf,
} from '../src/screens/archives/archives.rules.js';
import { sortBy, turned } from '../src/ui/data-list.rules.js';
import { ruleInWords } from '../src/ui/rule-words.js';

const at = (year: number, month: number, day: number) => ({
  start: new Date(year, month, day).toISOString(),
});

test('keeps archives of one month together', () => {
  const made = ['2026-11-02', '2026-11-01', '2026-10-31', '2025-10-31'].map((start) => ({ start }));
  expect(byMonth(made, (start) => start.slice(0, 7)).map(([month, some]) => [month, some.length])).toEqual([
    ['2026-11', 2],
    ['2026-10', 1],
    ['2025-10', 1],
  ]);
});

test('converts a day to the cursor after its last archive', () => {
  expect(cursorOf('2026-11-30')).toBe(`${new Date(2026, 11, 1).getTime()}-0`);
  expect(cursorOf('')).toBeUndefined();
  expect(cursorOf('nonsense')).toBeUndefined();
});

test('lays the days of a month out in weeks from Monday', () => {
  const weeks = weeksOf('2026-11-24');
  expect(weeks).toHaveLength(6);
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
  expect(weeks[5]?.[0]).toBe('2026-11-30');
  expect([monthAway('2026-01-31', -1), monthAway('2026-01-31', 1)]).toEqual(['2025-12-01', '2026-02-01']);
});

test('announces removal by the next prune when the schedule prunes', () => {
  const prunes = { id: 1, enabled: true, retention: 'prunes' as const, retention_paused: [] };
  const archive = { name: 'a', kept_by: null, schedule_id: 1 };
  const says = (one: object, schedule: object = {}) =>
    isPrunedNext({ ...archive, ...one }, 7, [{ ...prunes, ...schedule }]);
  expect(says({})).toBe(true);
  expect(says({}, { retention_paused: [{ repository_id: 8 }] })).toBe(true);
  expect([
    says({ kept_by: 'daily #1' }),
    says({ schedule_id: null }),
    says({ name: 'a.checkpoint.1' }),
    says({}, { enabled: false }),
    says({}, { retention: 'keeps_everything' }),
    says({}, { retention_paused: [{ repository_id: 7 }] }),
  ]).toEqual(Array(6).fill(false));
});

test('sorts rows by a column, with unknown values last in both directions', () => {
  const columns = [{ key: 'size', sort: (row: number | null) => row, figure: true }];
  expect(sortBy([2, null, 3, 1], columns, '-size')).toEqual([3, 2, 1, null]);
  expect(sortBy([2, null, 3, 1], columns, 'size')).toEqual([1, 2, 3, null]);
  expect(sortBy([2, null, 3, 1], columns, 'other')).toEqual([2, null, 3, 1]);
  const next = ['', '-size', 'size'].map((sorted) => turned(sorted, { key: 'size', figure: true }));
  expect(next).toEqual(['-size', 'size', '']);
});

test.each([
  ['daily #3', 'kept: daily 3', 'bleibt: täglich 3'],
  ['yearly[oldest] #1', 'kept: yearly 1', 'bleibt: jährlich 1'],
  ['newest archive with all sources', 'kept: the newest complete one', 'bleibt: das neueste vollständige'],
  ['newest archive with /srv/a', 'kept: the newest with /srv/a', 'bleibt: das neueste mit /srv/a'],
  ['something else', 'something else', 'something else'],
])('says in both languages that retention makes of an archive: %s', (rule, ...said) => {
  const before = t.maintenance;
  const words = [english, german].map((messages) => {
    t.maintenance = messages;
    return ruleInWords(rule);
  });
  t.maintenance = before;
  expect(words).toEqual(said);
});

test('compares two archives from older to newer', () => {
  const [older, newer] = [at(2026, 1, 1), at(2026, 2, 1)];
  expect(inOrder(newer, older)).toEqual([older, newer]);
});
