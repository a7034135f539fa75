import { describe, expect, it } from 'vitest';
import { nearest, timeTicks, valueTicks } from '../src/screens/repositories/plots/axis.rules.js';

const seconds = (text: string) => Date.parse(text) / 1000;

describe('the ticks of time', () => {
  it('are local midnights in a range of days', () => {
    const ticks = timeTicks(seconds('2026-03-27T10:00Z'), seconds('2026-03-30T10:00Z'), 4);
    expect(ticks).toHaveLength(3);
    for (const at of ticks) expect(new Date(at * 1000).getHours()).toBe(0);
  });

  it('are hours in a short range', () => {
    const ticks = timeTicks(seconds('2026-05-01T08:30Z'), seconds('2026-05-01T12:30Z'), 3);
    expect(ticks.map((at) => at - (ticks[0] ?? 0))).toEqual([0, 7_200]);
  });

  it.each([1, 30, 365, 4_000])('stay within their number in %i days', (days) => {
    const ticks = timeTicks(seconds('2026-01-01T05:00Z'), seconds('2026-01-01T05:00Z') + days * 86_400, 8);
    expect(ticks.length).toBeGreaterThan(0);
    expect(ticks.length).toBeLessThanOrEqual(9);
  });

  it.each([2, 3, 5, 8])('leave room for a label at each end of any range (at most %i)', (most) => {
    const from = seconds('2026-01-10T05:00Z');
    const cut = Array.from({ length: 400 }, (_, at) => at + 3).filter((days) => {
      const inside = timeTicks(from, from + days * 86_400, most).map((at) => (at - from) / 86_400 / days);
      return !inside.some((at) => at > 0.05 && at < 0.9);
    });
    expect(cut).toEqual([]);
  });
});

describe('the ticks of values', () => {
  it.each([
    [4_300, 4, undefined, [0, 2_000, 4_000]],
    [1, 4, undefined, [0, 0.5, 1]],
    [700, 4, [60, 300, 900], [0, 300, 600]],
    [5_000, 2, [60, 300], [0, 5_000]],
  ])('up to %d in at most %i steps, of %j', (top, most, steps, ticks) => {
    expect(valueTicks(top, most, steps)).toEqual(ticks);
  });
});

it.each([
  [[], -1],
  [[5], 0],
  [[1, 4, 9], 1],
])('finds the point of %j that is nearest to 5', (numbers, index) => {
  expect(nearest(numbers, 5)).toBe(index);
});
