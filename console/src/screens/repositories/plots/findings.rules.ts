import type { Schemas } from '../../../api/client.js';

/** More bars could not be distinguished. */
export const mostJobs = 200;

export type Sample = Schemas['HistorySample'];
export type Archive = Schemas['HistoryArchive'];
/** `at` in seconds since 1970. */
export interface Point {
  at: number;
  value: number;
}

const secondsOf = (time: string): number => Date.parse(time) / 1000;
const day = 86_400;

/** One figure of the samples that have it, oldest first. */
export const pointsOf = (samples: readonly Sample[], pick: (sample: Sample) => number | null): Point[] =>
  samples
    .map((sample) => ({ at: secondsOf(sample.at), value: pick(sample) }))
    .filter((point): point is Point => point.value !== null)
    .sort((one, other) => one.at - other.at);

/** Samples begin with Holdfast; older points come from existing archives. */
export function pointsOfBackups(
  samples: readonly Sample[],
  archives: readonly Archive[],
  figure: 'original_bytes' | 'added_bytes',
): Point[] {
  const known = pointsOf(samples, (sample) => (sample.kind === 'backup' ? sample[figure] : null));
  const first = known[0]?.at ?? Number.POSITIVE_INFINITY;
  const older = archives
    .filter((archive) => secondsOf(archive.start) + (archive.seconds ?? 0) < first - 1)
    .map((archive) => ({ at: secondsOf(archive.start), value: archive[figure] }))
    .filter((point): point is Point => point.value !== null);
  return [...older, ...known].sort((one, other) => one.at - other.at);
}

/** Of an empty list: undefined. */
export function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : mean(sorted[middle - 1], sorted[middle]);
}
const mean = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? undefined : (one + other) / 2;

export const largest = (points: readonly Point[]): Point | undefined =>
  points.reduce<Point | undefined>(
    (most, point) => (most && most.value >= point.value ? most : point),
    undefined,
  );

const outlierTimes = 5;
const fewest = 5;

/** A backup that added far more than usual: often something that should have been excluded. The first adds everything. */
export function outlier([, ...added]: readonly Point[]): (Point & { times: number }) | null {
  const usual = median(added.map(({ value }) => value));
  const most = largest(added);
  if (added.length < fewest || !usual || !most || most.value < usual * outlierTimes) return null;
  return { ...most, times: Math.round(most.value / usual) };
}

/** Bytes a day, by least squares, as the service computes it for Home; null for less than a week of samples. */
export function growthPerDay(sizes: readonly Point[]): number | null {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!first || !last || last.at - first.at < 7 * day) return null;
  const days = sizes.map(({ at }) => (at - first.at) / day);
  const meanDay = days.reduce((sum, each) => sum + each, 0) / days.length;
  const meanSize = sizes.reduce((sum, { value }) => sum + value, 0) / sizes.length;
  let both = 0;
  let square = 0;
  for (const [index, each] of days.entries()) {
    both += (each - meanDay) * ((sizes[index]?.value ?? meanSize) - meanSize);
    square += (each - meanDay) ** 2;
  }
  return square === 0 ? null : both / square;
}

/** Of free space. */
export function lossPerDay(free: readonly Point[]): number | null {
  const slope = growthPerDay(free);
  return slope === null ? null : -slope;
}

/** What was known at the end of each of the last days, from the first that was. */
export const daily = (points: readonly Point[], days: number, now = Date.now() / 1000): number[] =>
  Array.from({ length: days }, (_, n) => now - (days - 1 - n) * day).flatMap(
    (end) => points.findLast(({ at }) => at <= end)?.value ?? [],
  );

const farthestDays = 20 * 365;

/** Days until the disk is full at this rate; null: not within twenty years. */
export const daysUntilFull = (free: number, perDay: number | null): number | null =>
  perDay === null || perDay <= 0 || free / perDay > farthestDays ? null : free / perDay;

/** How much more room the archives would take if each stood alone: all as large as the one of that sample. */
export const dedupRatio = ({ original_bytes, archive_count, size_bytes }: Sample): number | null =>
  original_bytes === null || archive_count === null || archive_count < 2 || !size_bytes
    ? null
    : (original_bytes * archive_count) / size_bytes;
