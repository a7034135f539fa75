import { expect, test } from 'vitest';
import { byMonth, cursorOf, inOrder, ruleOf } from '../src/screens/archives/archives.rules.js';

const at = (year: number, month: number, day: number) => ({
  start: new Date(year, month, day).toISOString(),
});

test('archives of one month stay together', () => {
  const months = byMonth([at(2026, 10, 30), at(2026, 10, 1), at(2026, 9, 31), at(2025, 9, 31)]);
  expect(months.map(({ month, archives }) => [month.getMonth(), archives.length])).toEqual([
    [10, 2],
    [9, 1],
    [9, 1],
  ]);
});

test('a day leads to the place in the list after its last archive', () => {
  expect(cursorOf('2026-11-30')).toBe(`${new Date(2026, 11, 1).getTime()}-0`);
  expect(cursorOf('')).toBeUndefined();
  expect(cursorOf('nonsense')).toBeUndefined();
});

test('the rule that keeps an archive has a name and a number', () => {
  expect(ruleOf('daily #3')).toEqual({ rule: 'daily', number: 3 });
  expect(ruleOf('yearly[oldest] #1')).toEqual({ rule: 'yearly', number: 1 });
  expect(ruleOf('something else')).toBeNull();
});

test('two archives are compared from the older to the newer', () => {
  const [older, newer] = [at(2026, 1, 1), at(2026, 2, 1)];
  expect(inOrder(newer, older)).toEqual([older, newer]);
});
