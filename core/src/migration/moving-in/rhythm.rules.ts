import { DateTime } from 'luxon';

export type Confidence = 'high' | 'medium' | 'low';

export interface Rhythm {
  description: string;
  cron: string;
  confidence: Confidence;
  /** How many archives it was derived from. */
  archives: number;
  /** Between two archives, in milliseconds. */
  stepMs: number;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const fewest = 3;
/** Older archives were thinned out by a retention. */
const mostUsed = 15;

/** How often, and when, archives are made: from the times of the newest. Null when these show no rhythm. */
export function rhythmOf(starts: readonly number[], timeZone: string): Rhythm | null {
  const newest = starts.toSorted((a, b) => b - a).slice(0, mostUsed);
  if (newest.length < fewest) return null;
  const gaps = newest.slice(1).map((start, n) => (newest[n] as number) - start);
  const usual = median(gaps.slice(0, 7));
  const cut = gaps.findIndex((gap) => gap > usual * 2.5 + 2 * dayMs * Number(usual > 20 * hourMs));
  const used = cut < fewest - 1 ? newest : newest.slice(0, cut + 1);
  const times = used.map((start) => DateTime.fromMillis(start, { zone: timeZone }));
  const regular = share(gaps.slice(0, used.length - 1), (gap) => Math.abs(gap - usual) < usual * 0.2);
  return withinDay(usual, times, regular) ?? byDays(usual, times, regular);
}

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const wholeHours = [1, 2, 3, 4, 6, 8, 12];
const wholeMinutes = [5, 10, 15, 20, 30];

function withinDay(usual: number, times: readonly DateTime[], regular: number): Rhythm | null {
  if (usual > 20 * hourMs) return null;
  const { minute } = middle(times);
  const rest = { confidence: confidenceOf(regular), archives: times.length };
  if (usual < 50 * minuteMs) {
    const every = nearest(wholeMinutes, usual / minuteMs);
    const description = `about every ${every} minutes`;
    return { description, cron: `*/${every} * * * *`, ...rest, stepMs: every * minuteMs };
  }
  const every = nearest(wholeHours, usual / hourMs);
  const description = every === 1 ? 'about every hour' : `about every ${every} hours`;
  const at = Math.round(median(times.map((time) => time.minute)));
  const cron = `${every >= 12 ? minute : at} ${every === 1 ? '*' : `*/${every}`} * * *`;
  return { description, cron, ...rest, stepMs: every * hourMs };
}

function byDays(usual: number, times: readonly DateTime[], regular: number): Rhythm | null {
  const days = usual / dayMs;
  const { hour, minute, spreadMs } = middle(times);
  const clock = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  const steady = spreadMs < hourMs ? regular : spreadMs < 4 * hourMs ? Math.min(regular, 0.7) : 0.3;
  const rest = { confidence: confidenceOf(steady), archives: times.length };
  const made = (description: string, cron: string, step: number): Rhythm => ({
    description: `about ${description} at ${clock}`,
    cron: `${minute} ${hour} ${cron}`,
    ...rest,
    stepMs: step * dayMs,
  });
  const weekdays = times.map(({ weekday }) => weekday);
  if (days < 1.5) {
    const isWorkdays = times.length >= 8 && weekdays.every((day) => day <= 5);
    return isWorkdays ? made('every weekday', '* * 1-5', 1) : made('every day', '* * *', 1);
  }
  if (days < 4.5)
    return made(`every ${Math.round(days)} days`, `*/${Math.round(days)} * *`, Math.round(days));
  if (days < 10) {
    const day = mostFrequent(weekdays);
    return made(`every ${dayNames[day - 1]}`, `* * ${day % 7}`, 7);
  }
  if (days > 25 && days < 35) {
    const day = mostFrequent(times.map((time) => time.day));
    return made(`every month on day ${day}`, `${Math.min(day, 28)} * *`, 30);
  }
  return null;
}

const share = <T>(all: readonly T[], is: (each: T) => boolean): number =>
  all.length === 0 ? 0 : all.filter(is).length / all.length;

const confidenceOf = (regular: number): Confidence =>
  regular >= 0.85 ? 'high' : regular >= 0.5 ? 'medium' : 'low';

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const nearest = (known: readonly number[], wanted: number): number =>
  known.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] as number;

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 1;
}

/** The usual time of day, where 23:59 is close to 00:00, rounded down to five minutes if it varies. */
function middle(times: readonly DateTime[]): { hour: number; minute: number; spreadMs: number } {
  const all = times.map((time) => (time.hour * 60 + time.minute) * minuteMs);
  const first = all[0] as number;
  const beside = all.map((each) => first + wrapped(each - first));
  const usual = median(beside);
  const spreadMs = median(beside.map((each) => Math.abs(each - usual)));
  const exact = ((usual % dayMs) + dayMs) % dayMs;
  const inMinutes = Math.floor(exact / minuteMs);
  const shown = spreadMs > 2 * minuteMs ? inMinutes - (inMinutes % 5) : inMinutes;
  return { hour: Math.floor(shown / 60), minute: shown % 60, spreadMs };
}

const wrapped = (ms: number): number => ms - dayMs * Math.round(ms / dayMs);
