const dayMs = 86_400_000;

/** A measured value in bytes. */
export interface Point {
  at: number;
  value: number;
}

/** Bytes a day, by least squares; null for less than a week of points. */
export function slopePerDay(points: readonly Point[]): number | null {
  const times = points.map(({ at }) => at / dayMs);
  if (points.length === 0 || Math.max(...times) - Math.min(...times) < 7) return null;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanTime, meanValue] = [mean(times), mean(points.map(({ value }) => value))];
  let [both, square] = [0, 0];
  for (const [n, { value }] of points.entries()) {
    const away = (times[n] ?? 0) - meanTime;
    both += away * (value - meanValue);
    square += away ** 2;
  }
  return both / square;
}

const farthestMs = 20 * 365 * dayMs;

/** When the free space is used up at this rate; null if not within twenty years. */
export function fullAt(free: number, perDay: number | null, now: number): number | null {
  if (perDay === null || perDay >= 0) return null;
  const left = (free / -perDay) * dayMs;
  return left > farthestMs ? null : Math.round(now + left);
}

/** What was stored in total at the end of each day: of each series, the last value up to then, or its first one. */
export function totals(series: readonly (readonly Point[])[], ends: readonly number[]): number[] {
  const sums = ends.map(() => 0);
  for (const points of series) {
    let next = 0;
    for (const [n, end] of ends.entries()) {
      while (next < points.length && (points[next]?.at ?? 0) < end) next += 1;
      sums[n] = (sums[n] ?? 0) + (points[Math.max(0, next - 1)]?.value ?? 0);
    }
  }
  return sums;
}
