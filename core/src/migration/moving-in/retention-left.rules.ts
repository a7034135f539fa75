import type { Confidence } from './rhythm.rules.js';

const rules = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const;
export type Counts = Record<(typeof rules)[number], number>;

export interface RetentionLeft {
  counts: Counts;
  description: string;
  confidence: Confidence;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const fewest = 5;
/** Bounds the work for a long history. */
const mostSteps = 1_500;

/**
 * The counts of a retention that would have left these archives of a history without gaps: the ones whose result is
 * nearest, and of equal ones the smallest. Null when nothing seems to have been removed.
 */
export function retentionLeft(starts: readonly number[], stepMs: number): RetentionLeft | null {
  const newestFirst = starts.toSorted((a, b) => b - a);
  const [newest] = newestFirst;
  const oldest = newestFirst.at(-1);
  if (newest === undefined || oldest === undefined || newestFirst.length < fewest) return null;
  const gaps = newestFirst.slice(1).map((start, n) => (newestFirst[n] as number) - start);
  if (!gaps.some((gap) => gap > 2.6 * stepMs)) return null;
  const periods = periodsOf(newest, {
    steps: Math.min(mostSteps, Math.round((newest - oldest) / stepMs)),
    stepMs,
  });
  const left = new Set(newestFirst.map((start) => Math.round((newest - start) / stepMs)));
  let best: { counts: Counts; misses: number; sum: number } | null = null;
  for (const counts of candidates(gaps, stepMs)) {
    const misses = difference(keptSteps(periods, counts), left);
    const sum = rules.reduce((total, rule) => total + counts[rule], 0);
    if (!best || misses < best.misses || (misses === best.misses && sum < best.sum))
      best = { counts, misses, sum };
  }
  if (!best || best.misses > left.size) return null;
  const isNear = best.misses <= Math.max(2, left.size / 5);
  return {
    counts: best.counts,
    description: describe(best.counts),
    confidence: best.misses === 0 ? 'high' : isNear ? 'medium' : 'low',
  };
}

type Periods = Record<keyof Counts, number[]>;

/**
 * The period of each step back from the newest archive under each rule: those of `planRetention`, as numbers.
 */
export function periodsOf(newest: number, { steps, stepMs }: { steps: number; stepMs: number }): Periods {
  const starts = Array.from({ length: steps + 1 }, (_, n) => newest - n * stepMs);
  const dates = starts.map((start) => new Date(start));
  return {
    hourly: starts.map((start) => Math.floor(start / hourMs)),
    daily: starts.map((start) => Math.floor(start / dayMs)),
    // The first of January 1970 was a Thursday.
    weekly: starts.map((start) => Math.floor((Math.floor(start / dayMs) + 3) / 7)),
    monthly: dates.map((date) => date.getUTCFullYear() * 12 + date.getUTCMonth()),
    yearly: dates.map((date) => date.getUTCFullYear()),
  };
}

/** Decides as `planRetention`, for very many counts in little time. */
export function keptSteps(periods: Periods, counts: Counts): Set<number> {
  const kept = new Set<number>();
  for (const rule of rules) {
    const wanted = counts[rule];
    const period = periods[rule];
    let count = 0;
    for (let n = 0; n < period.length && count < wanted; n++) {
      if ((n > 0 && period[n] === period[n - 1]) || kept.has(n)) continue;
      kept.add(n);
      count += 1;
    }
    if (wanted > 0 && count < wanted) kept.add(period.length - 1);
  }
  return kept;
}

function difference(a: ReadonlySet<number>, b: ReadonlySet<number>): number {
  let common = 0;
  for (const n of a) if (b.has(n)) common += 1;
  return a.size + b.size - 2 * common;
}

/** Candidate counts near the gaps of each kind. */
function* candidates(gaps: readonly number[], stepMs: number): Generator<Counts> {
  const of = (from: number, to: number) =>
    gaps.filter((gap) => gap >= from * dayMs && gap < to * dayMs).length;
  const small = gaps.findIndex((gap) => gap > 1.5 * stepMs);
  const first = small < 0 ? gaps.length + 1 : small + 1;
  const shortest = stepMs < 0.8 * dayMs ? 'hourly' : stepMs < 5 * dayMs ? 'daily' : 'weekly';
  const range = (rule: keyof Counts, count: number) => {
    if (rule === shortest) return near(Math.max(1, count), 2, 1);
    return rules.indexOf(rule) < rules.indexOf(shortest) ? [0] : near(count, 2, 0);
  };
  for (const hourly of range('hourly', first))
    for (const daily of range('daily', shortest === 'daily' ? first : of(0.7, 2.5)))
      for (const weekly of range('weekly', shortest === 'weekly' ? first : of(2.5, 14)))
        for (const monthly of range('monthly', of(14, 100)))
          for (const yearly of range('yearly', of(100, 800)))
            yield { hourly, daily, weekly, monthly, yearly };
}

function near(count: number, by: number, least: number): number[] {
  const from = Math.max(least, count - by);
  return Array.from({ length: count + by - from + 1 }, (_, n) => from + n);
}

function describe(counts: Counts): string {
  const parts = rules.flatMap((rule) => (counts[rule] > 0 ? [`${counts[rule]} ${rule}`] : []));
  return `about ${parts.join(', ')}`;
}
