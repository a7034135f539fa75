import { describe, expect, it } from 'vitest';
import {
  daysUntilFull,
  dedupRatio,
  growthPerDay,
  median,
  outlier,
  pointsOfBackups,
} from '../src/screens/repositories/plots/findings.rules.js';

const day = 86_400;
const points = (...values: number[]) => values.map((value, index) => ({ at: index * day, value }));
const sample = (over: object) =>
  ({
    at: '2026-11-10T02:00:00Z',
    job_id: 1,
    kind: 'backup',
    size_bytes: 100,
    free_bytes: null,
    archive_count: 4,
    original_bytes: 50,
    added_bytes: 5,
    seconds: 1,
    ...over,
  }) as never;

describe('findings of the charts', () => {
  it('finds the median of odd, even and no values', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, undefined]);
  });

  it('names a backup that added five times the usual, unless it is the first', () => {
    expect(outlier(points(9_000, 10, 10, 10, 100))).toBeNull();
    expect(outlier(points(9_000, 10, 49, 10, 10, 10))).toBeNull();
    expect(outlier(points(9_000, 10, 100, 10, 10, 10))).toEqual({ at: 2 * day, value: 100, times: 10 });
  });

  it('calculates the growth per day from at least one day', () => {
    expect(growthPerDay(points(0, 10, 20, 30, 40, 50, 60, 70))).toBeCloseTo(10);
    expect(growthPerDay(points(0, 10, 20, 30, 40, 50, 60))).toBeNull();
    expect(growthPerDay([])).toBeNull();
  });

  it('predicts when the disk is full, if ever', () => {
    expect(daysUntilFull(100, 10)).toBe(10);
    expect([daysUntilFull(100, 0), daysUntilFull(100, -1), daysUntilFull(1e9, 1)]).toEqual([
      null,
      null,
      null,
    ]);
  });

  it('compares the size of archives with the stored size', () => {
    expect(dedupRatio(sample({}))).toBe(2);
    expect(dedupRatio(sample({ archive_count: 1 }))).toBeNull();
    expect([dedupRatio(sample({ size_bytes: 0 })), dedupRatio(sample({ original_bytes: null }))]).toEqual([
      null,
      null,
    ]);
  });

  it('takes archives only from before the samples', () => {
    const archive = (start: string) =>
      ({ id: start, name: start, start, seconds: 60, original_bytes: 1, added_bytes: 1 }) as never;
    const found = pointsOfBackups(
      [sample({})],
      [archive('2026-11-01T02:00:00Z'), archive('2026-11-10T01:59:00Z')],
      'original_bytes',
    );
    expect(found.map(({ value }) => value)).toEqual([1, 50]);
  });
});
