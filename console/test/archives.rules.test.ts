import { expect, test } from 'vitest';
import { t } from '../src/i18n/messages.js';
import german from '../src/messages/de/maintenance.js';
import english from '../src/messages/en/maintenance.js';
import { byMonth, cursorOf, inOrder } from '../src/screens/archives/archives.rules.js';
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
