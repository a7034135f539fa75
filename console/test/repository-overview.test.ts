import { describe, expect, it } from 'vitest';
import { firstOf, presentFirst } from '../src/screens/repositories/overview.rules.js';
import { daily } from '../src/screens/repositories/plots/findings.rules.js';
import { cellsOf, worstOfDays } from '../src/ui/days.rules.js';

describe('the calendar of a year', () => {
  it('puts each day into its week and weekday', () => {
    // A Wednesday.
    const cells = cellsOf('mwo', '2026-03-04', 53);
    expect(cells.map(({ letter, column, row }) => [letter, column, row])).toEqual([
      ['m', 52, 0],
      ['w', 52, 1],
      ['o', 52, 2],
    ]);
    expect(cells.map(({ date }) => date.getDate())).toEqual([2, 3, 4]);
  });

  it('has room for a year that ends on any weekday', () => {
    for (const last of ['2026-03-01', '2026-03-02', '2026-03-04'])
      expect(cellsOf('o'.repeat(365), last, 53)).toHaveLength(365);
  });

  it('shows whole weeks of the newest part when there is less room', () => {
    const cells = cellsOf('-'.repeat(364).concat('o'), '2026-03-30', 26);
    expect(cells).toHaveLength(25 * 7 + 1);
    expect([cells[0]?.column, cells[0]?.row, cells.at(-1)?.letter]).toEqual([0, 0, 'o']);
    // The clock changes in between.
    expect(new Set(cells.map(({ date }) => date.toDateString())).size).toBe(cells.length);
  });

  it('shows the worst day of several repositories', () => {
    expect(worstOfDays(['ooow-o', 'wfml--', 'lo-o--'])).toBe('lfml-o');
    expect(worstOfDays(['owf'])).toBe('owf');
    expect(worstOfDays([])).toBe('');
  });

  it('ignores outcomes that a later release added', () => expect(worstOfDays(['xo', 'xx'])).toBe('-o'));

  it('shows nothing without days', () => expect(cellsOf('', '2026-03-04', 53)).toEqual([]));
});

describe('what takes the space', () => {
  const all = (...sizes: number[]) => sizes.map((size) => ({ size }));

  it('adds up the entries that are not shown', () =>
    expect(firstOf(all(9, 4, 2, 1), 2)).toEqual({ shown: all(9, 4), count: 2, size: 3, total: 16 }));

  it('shows the last one instead of a line about it', () =>
    expect(firstOf(all(9, 4, 2), 2)).toEqual({ shown: all(9, 4, 2), count: 0, size: 0, total: 15 }));
});

describe('the last jobs', () => {
  it('lists running and waiting ones first', () => {
    const jobs = ['failed', 'pending', 'completed', 'running'].map((status) => ({ status }));
    expect(presentFirst(jobs).map(({ status }) => status)).toEqual([
      'running',
      'pending',
      'failed',
      'completed',
    ]);
  });
});

describe('the size of each day', () => {
  it('is the last size known at its end', () => {
    const day = 86_400;
    const points = [
      { at: 2 * day + 1, value: 5 },
      { at: 2 * day + 9, value: 6 },
      { at: 4 * day, value: 8 },
    ];
    expect(daily(points, 4, 5 * day)).toEqual([6, 8, 8]);
    expect(daily([], 4)).toEqual([]);
  });
});
