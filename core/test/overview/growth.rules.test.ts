import { describe, expect, it } from 'vitest';
import { fullAt, slopePerDay, totals } from '../../src/insight/overview/growth.rules.js';

const day = 86_400_000;
const now = Date.UTC(2026, 2, 10, 12);
const points = (...values: number[]) => values.map((value, n) => ({ at: n * day, value }));

describe('the rate of a disk', () => {
  it('is known from a week of samples on', () => {
    expect(slopePerDay([])).toBeNull();
    expect(slopePerDay(points(70, 60, 50, 40, 30, 20, 10))).toBeNull();
    expect(slopePerDay(points(80, 70, 60, 50, 40, 30, 20, 10))).toBeCloseTo(-10);
  });

  it('tells when it is full, within twenty years', () => {
    expect(fullAt(100, -10, now)).toBe(now + 10 * day);
    expect([fullAt(100, 0, now), fullAt(100, null, now), fullAt(1e6, -0.001, now)]).toEqual([
      null,
      null,
      null,
    ]);
  });
});

it('adds up the last values of each day', () => {
  const ends = [day, 2 * day, 3 * day];
  const late = [{ at: 1.5 * day, value: 100 }];
  expect(totals([points(1, 2), late, []], ends)).toEqual([101, 102, 102]);
});
