import { planRetention } from '@holdfast/contracts/retention';
import { counts, type Keep, type Timing } from './plan.rules.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
export const simulatedDays = 400;
/** More are not worth the time: each dot is a day. */
const most = 24 * simulatedDays;

export interface SimulatedDay {
  /** Milliseconds since the epoch: the begin of the day in UTC. */
  at: number;
  made: number;
  kept: number;
}

export interface Simulation {
  /** The oldest first. */
  days: SimulatedDay[];
  made: number;
  kept: number;
  /** Begin of the oldest archive that is kept. */
  oldest: number | null;
}

/** In hours; of an expression as text by the time between its next runs. Null: nothing is planned. */
export function gapOf({ every }: Timing, nextRuns: readonly string[]): number | null {
  if (every === 'hand') return null;
  if (every === 'hour') return 1;
  if (every !== 'custom') return 24;
  const [first, last] = [nextRuns[0], nextRuns.at(-1)];
  if (!first || !last || nextRuns.length < 2) return 24;
  return Math.max(0.25, (Date.parse(last) - Date.parse(first)) / hourMs / (nextRuns.length - 1));
}

const hoursOf: Record<string, number> = { H: 1, d: 24, w: 168, m: 744, y: 8760 };
const within = (text: string | null): number =>
  text === null ? 0 : Number(text.slice(0, -1)) * (hoursOf[text.slice(-1)] ?? 0) * hourMs;

/** What would be left of an archive at each planned time of the last 400 days. Days and weeks are in UTC, as for a prune. */
export function simulate(
  timing: Timing,
  { prunes, rules, gap, now }: { prunes: boolean; rules: Keep; gap: number; now: number },
): Simulation {
  const wanted = timing.every === 'days' ? new Set(timing.days) : null;
  const archives: { id: string; start: number }[] = [];
  for (let index = 0; index < most; index += 1) {
    const start = now - index * gap * hourMs;
    if (start <= now - simulatedDays * dayMs) break;
    if (!wanted || wanted.has(new Date(start).getUTCDay())) archives.push({ id: String(index), start });
  }
  const keepCounts = Object.fromEntries(counts.map((count) => [count, rules[`prune_keep_${count}`]]));
  const young = within(rules.prune_keep_within);
  const kept = prunes
    ? planRetention(archives, { ...keepCounts, ...(young > 0 && { since: now - young }) }).kept.map(
        ({ archive }) => archive,
      )
    : archives;
  return { ...byDay(archives, kept, now), made: archives.length, kept: kept.length };
}

type Dated = { start: number };

function byDay(archives: readonly Dated[], kept: readonly Dated[], now: number) {
  const today = Math.floor(now / dayMs);
  const days: SimulatedDay[] = Array.from({ length: simulatedDays }, (_, index) => ({
    at: (today - simulatedDays + 1 + index) * dayMs,
    made: 0,
    kept: 0,
  }));
  const dayOf = ({ start }: Dated) => days[simulatedDays - 1 - (today - Math.floor(start / dayMs))];
  for (const archive of archives) {
    const day = dayOf(archive);
    if (day) day.made += 1;
  }
  for (const archive of kept) {
    const day = dayOf(archive);
    if (day) day.kept += 1;
  }
  const oldest = kept.reduce<number | null>(
    (least, { start }) => (least === null || start < least ? start : least),
    null,
  );
  return { days, oldest };
}
