import { setImmediate as immediate } from 'node:timers/promises';
import type { PreviewAnswer } from '@holdfast/contracts';
import { clockOf } from '@holdfast/contracts/retention';
import { isoTime } from '../../foundation/kernel/index.js';
import { planRetention, type RetentionRules } from '../maintenance/index.js';
import type { CronRule } from './calendar/index.js';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const simulatedDays = 400;
/** Other requests are answered in between. */
const hoursATurn = 300;

/** The runs of one hour: of archives with the same hour no rule but `since` keeps another one than the last. */
interface Hour {
  id: string;
  /** All of them, ascending. */
  starts: number[];
  /** The last one. */
  start: number;
}

/** What the rules would leave today of an archive at each planned instant of the last 400 days. */
export async function simulate(
  rule: CronRule,
  { rules, now }: { rules: RetentionRules | null; now: number },
): Promise<NonNullable<PreviewAnswer['simulation']>> {
  const clock = clockOf(rules?.timeZone);
  const dateOf = (at: number) => clock(at).toISOString().slice(0, 10);
  const dates = Array.from({ length: simulatedDays }, (_, index) =>
    new Date(clock(now).getTime() - (simulatedDays - 1 - index) * dayMs).toISOString().slice(0, 10),
  );
  const days = new Map(dates.map((date) => [date, { date, made: 0, kept: 0 }]));
  const hours = await hoursWithRuns(rule, { from: now - simulatedDays * dayMs, until: now, clock });
  const kept = rules === null ? hours : planRetention(hours, rules).kept.map(({ archive }) => archive);
  const since = rules === null ? 0 : (rules.since ?? Number.POSITIVE_INFINITY);
  let [made, left, oldest] = [0, 0, Number.POSITIVE_INFINITY];
  for (const { starts, start } of hours) {
    const day = days.get(dateOf(start));
    made += starts.length;
    if (day) day.made += starts.length;
  }
  for (const { starts, start } of kept) {
    const stays = starts.filter((at) => at === start || at > since);
    const day = days.get(dateOf(start));
    left += stays.length;
    oldest = Math.min(oldest, stays[0] ?? start);
    if (day) day.kept += stays.length;
  }
  const simulated = { days: [...days.values()], made, kept: left };
  return { ...simulated, oldest: Number.isFinite(oldest) ? isoTime(oldest) : null };
}

async function hoursWithRuns(
  rule: CronRule,
  { from, until, clock }: { from: number; until: number; clock: (at: number) => Date },
): Promise<Hour[]> {
  const hours: Hour[] = [];
  let pattern: number[] | null = null;
  let at = rule.next(from);
  while (at <= until) {
    const end = at + hourMs - (clock(at).getTime() % hourMs);
    // Hours with runs have them at the same minutes, except for the first one and those in which the clocks change.
    const same: number[] | undefined = pattern?.map((minute) => at + minute);
    const starts: number[] =
      same && rule.next(at) === (same[1] ?? rule.next(at)) ? same : runsUntil(rule, at, end);
    if (hours.length > 0) pattern ??= offsetsOf(starts);
    const past = starts.filter((start) => start <= until);
    hours.push({ id: String(at), starts: past, start: past.at(-1) ?? at });
    if (hours.length % hoursATurn === 0) await immediate();
    at = rule.next(end - 1);
  }
  return hours;
}

function runsUntil(rule: CronRule, first: number, end: number): number[] {
  const starts: number[] = [];
  for (let at = first; at < end; at = rule.next(at)) starts.push(at);
  return starts;
}

const offsetsOf = (starts: readonly number[]): number[] =>
  starts.map((start) => start - (starts[0] ?? start));
