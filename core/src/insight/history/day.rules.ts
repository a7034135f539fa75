import { DateTime, type IANAZone } from 'luxon';

/** A calendar day in a time zone: from midnight (or the first instant after it) to the next. Milliseconds. */
export interface Day {
  /** `2026-03-29` */
  date: string;
  from: number;
  to: number;
}

const known = new Map<string, Day[]>();
const maxKnown = 100;

/** The last `count` days in a zone, oldest first; the last one contains `now`. A day has 23 to 25 hours. */
export function daysUntil(now: number, count: number, zone: IANAZone): readonly Day[] {
  const key = `${zone.name} ${count}`;
  const before = known.get(key);
  const today = before?.at(-1);
  if (before && today && today.from <= now && now < today.to) return before;
  const days = listDays(now, count, zone);
  if (known.size >= maxKnown) known.clear();
  known.set(key, days);
  return days;
}

function listDays(now: number, count: number, zone: IANAZone): Day[] {
  const today = DateTime.fromMillis(now, { zone }).startOf('day');
  const starts = Array.from({ length: count + 1 }, (_, n) =>
    today.plus({ days: n - count + 1 }).startOf('day'),
  );
  return starts.slice(0, -1).map((start, n) => ({
    date: start.toISODate() ?? '',
    from: start.toMillis(),
    to: starts[n + 1]?.toMillis() ?? now + 1,
  }));
}

/** Outcome of one day for a repository, from least to most significant. */
const dayStates = ['none', 'late', 'missed', 'failed', 'warning', 'ok'] as const;
export type DayState = (typeof dayStates)[number];

const letters: Record<DayState, string> = {
  none: '-',
  late: 'l',
  missed: 'm',
  failed: 'f',
  warning: 'w',
  ok: 'o',
};

/** One letter a day. */
export const stripOf = (states: readonly DayState[]): string =>
  states.map((state) => letters[state]).join('');

/** One outcome of a planned or started backup of a repository. */
export interface DayFact {
  at: number;
  state: DayState;
}

/** The known facts about one repository. Instants in milliseconds. */
export interface RepositoryDays {
  createdAt: number;
  /** How old the newest archive may be; null without an objective. */
  objectiveMs: number | null;
  facts: readonly DayFact[];
  /** Starts of archives that a check found damaged. */
  damaged: readonly number[];
}

/**
 * The state of each day. `ok`: a counting archive was made. `warning`: one with warnings, or found damaged
 * later. `failed`: no archive although a backup ran. `missed`: a planned run did not take place. `late`:
 * nothing was planned and the newest archive exceeded the age limit at the end of the day, or a backup of
 * that day has not ended yet. `none`: nothing else, even after a cancellation.
 */
export function judgeDays(
  days: readonly Day[],
  { facts, damaged, createdAt, objectiveMs }: RepositoryDays,
  now: number,
): DayState[] {
  const states = days.map((): DayState => 'none');
  // Archives made before these days are not known.
  const newest = days.map(({ from }) => Math.max(createdAt, days[0]?.from ?? from));
  for (const { at, state } of facts) {
    const n = dayOf(days, at);
    if (n === null) continue;
    states[n] = better(states[n] ?? 'none', state);
    if (state === 'ok' || state === 'warning') newest[n] = Math.max(newest[n] ?? 0, at);
  }
  for (const start of damaged) {
    const n = dayOf(days, start);
    if (n !== null && states[n] === 'ok') states[n] = 'warning';
  }
  if (objectiveMs === null) return states;
  let last = 0;
  return days.map(({ to }, n) => {
    last = Math.max(last, newest[n] ?? 0);
    const state = states[n] ?? 'none';
    return state === 'none' && Math.min(to, now) - last > objectiveMs ? 'late' : state;
  });
}

/** The more telling one: an archive outweighs failed and missed runs of the same day. */
const better = (a: DayState, b: DayState): DayState => (dayStates.indexOf(a) >= dayStates.indexOf(b) ? a : b);

/** The position of the day that contains an instant, or null. */
function dayOf(days: readonly Day[], at: number): number | null {
  let [low, high] = [0, days.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const day = days[middle] as Day;
    if (at >= day.from && at < day.to) return middle;
    if (at < day.from) high = middle - 1;
    else low = middle + 1;
  }
  return null;
}
