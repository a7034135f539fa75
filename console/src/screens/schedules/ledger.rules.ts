import type { Schemas } from '../../api/client.js';

export type Run = Schemas['ScheduleRun'];
export type Outcome = Run['outcome'] | 'waiting';

export const outcomeOf = ({ outcome, waiting }: Run): Outcome => (waiting ? 'waiting' : outcome);

/** The worst first: of several runs of one cell, this one is shown. */
const outcomes: readonly Outcome[] = [
  'failed',
  'refused',
  'missed',
  'skipped',
  'cancelled',
  'disabled',
  'completed_with_warnings',
  'waiting',
  'running',
  'completed',
];

export const worstOf = (runs: readonly Run[]): Outcome =>
  outcomes.find((outcome) => runs.some((run) => outcomeOf(run) === outcome)) ?? 'completed';

const pad = (value: number) => String(value).padStart(2, '0');

/** `YYYY-MM-DD`, by the clock of this browser. */
export const dayKey = (at: Date): string =>
  `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;

export const hourKey = (at: Date): string => `${dayKey(at)} ${pad(at.getHours())}`;

/** By day if no day has more than two of them, otherwise by hour. */
export function unitOf(runs: readonly Run[]): 'day' | 'hour' {
  const perDay = cellsOf(runs.filter(isPlanned), dayKey);
  return [...perDay.values()].some((day) => day.length > 2) ? 'hour' : 'day';
}

export function cellsOf(runs: readonly Run[], keyOf: (at: Date) => string): Map<string, Run[]> {
  const cells = new Map<string, Run[]>();
  for (const run of runs) {
    const key = keyOf(new Date(run.planned_at));
    cells.set(key, [...(cells.get(key) ?? []), run]);
  }
  return cells;
}

const isPlanned = ({ trigger }: Run) => trigger === 'schedule';

/** The days of the last `weeks` weeks, Monday first; today is in the last one. */
export function weeksUntil(now: Date, weeks: number): Date[][] {
  const monday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - ((now.getDay() + 6) % 7));
  return Array.from({ length: weeks }, (_, week) =>
    Array.from(
      { length: 7 },
      (__, day) =>
        new Date(monday.getFullYear(), monday.getMonth(), monday.getDate() - 7 * (weeks - 1 - week) + day),
    ),
  );
}

/** Counts planned runs by outcome. One entry may cover several runs. */
export function tally(runs: readonly Run[]) {
  const planned = runs.filter(isPlanned);
  const sum = (some: readonly Run[]) => some.reduce((total, { count }) => total + count, 0);
  const notRun = (['missed', 'skipped', 'refused', 'disabled'] as const).map(
    (outcome) => [outcome, sum(planned.filter((run) => run.outcome === outcome))] as const,
  );
  const all = sum(planned);
  return {
    planned: all,
    ran:
      sum(planned.filter(({ waiting }) => !waiting)) - notRun.reduce((total, [, count]) => total + count, 0),
    failed: sum(planned.filter((run) => run.outcome === 'failed')),
    notRun: notRun.filter(([, count]) => count > 0),
  };
}

/** RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe. */
export function csvOf(runs: readonly Run[]): string {
  const header = [
    'planned_at',
    'trigger',
    'started_at',
    'completed_at',
    'late_seconds',
    'outcome',
    'reason',
    'job_ids',
    'count',
  ] as const;
  const cell = (value: unknown): string => {
    const text = Array.isArray(value) ? value.join(' ') : String(value ?? '');
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = runs.map((run) => header.map((name) => cell(run[name])).join(','));
  return [header.join(','), ...rows, ''].join('\r\n');
}
