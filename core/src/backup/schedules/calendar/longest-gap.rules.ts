import { parseCron } from './cron.rules.js';

const dayMs = 86_400_000;
/** The period to examine: it contains every weekday, month and end of a month. */
const firstDay = Date.UTC(2027, 0, 1);
const examinedMs = 400 * dayMs;
/** A rule for a single day in leap years is followed until it fires twice. */
const maxMs = 9 * 366 * dayMs;

const knownTimes = new Map<string, Times>();
const knownDays = new Map<string, number>();
const maxKnown = 5_000;

/**
 * The longest time between two planned instants of a cron expression by the wall clock, in milliseconds.
 * Throws AppError `invalid` for an invalid expression.
 */
export function longestGap(expression: string): number {
  const [minute, hour, ...days] = expression.trim().split(/\s+/);
  const times = memoized(knownTimes, `${minute} ${hour} * * *`, timesOfDay);
  const apart = memoized(knownDays, `0 0 ${days.join(' ')}`, daysApart);
  return Math.max(times.longest, apart - (times.last - times.first));
}

/** Null for an invalid expression. */
export function gapOf(expression: string): number | null {
  try {
    return longestGap(expression);
  } catch {
    return null;
  }
}

interface Times {
  first: number;
  last: number;
  longest: number;
}

/** The times of one day on which the rule fires; all such days are alike. */
function timesOfDay(expression: string): Times {
  const rule = parseCron(expression);
  const first = rule.next(firstDay - 1);
  let [last, longest] = [first, 0];
  for (let at = rule.next(first); at < firstDay + dayMs; at = rule.next(at)) {
    longest = Math.max(longest, at - last);
    last = at;
  }
  return { first, last, longest };
}

/** The longest time between two days on which the rule fires. */
function daysApart(expression: string): number {
  const rule = parseCron(expression);
  let last = rule.next(firstDay - 1);
  let longest = 0;
  while (last < firstDay + maxMs && (longest === 0 || last < firstDay + examinedMs)) {
    const next = rule.next(last);
    longest = Math.max(longest, next - last);
    last = next;
  }
  return longest;
}

function memoized<T>(known: Map<string, T>, expression: string, work: (expression: string) => T): T {
  const found = known.get(expression);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  const made = work(expression);
  known.set(expression, made);
  return made;
}
