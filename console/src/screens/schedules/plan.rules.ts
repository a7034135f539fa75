/** How often a schedule runs. `custom`: a cron expression; `manual`: only manually. */
export type Every = 'day' | 'days' | 'hour' | 'custom' | 'manual';

export interface Timing {
  every: Every;
  /** `HH:MM`. */
  time: string;
  /** Days of the week for `days`: 0 is Sunday. */
  days: readonly number[];
  /** For `hour`. */
  minute: number;
  cron: string;
}

export const usualTiming: Timing = {
  every: 'day',
  time: '02:00',
  days: [1, 2, 3, 4, 5],
  minute: 0,
  cron: '',
};

/** Empty for `manual`; also while no day is chosen, so that nothing is saved by mistake: see `isComplete`. */
export function cronOf({ every, time, days, minute, cron }: Timing): string {
  const [hour = 0, past = 0] = time.split(':').map(Number);
  if (every === 'manual') return '';
  if (every === 'custom') return cron.trim();
  if (every === 'hour') return `${minute} * * * *`;
  return `${past} ${hour} * * ${every === 'day' ? '*' : [...days].sort((a, b) => a - b).join(',')}`;
}

export const isComplete = ({ every, time, days, cron }: Timing): boolean =>
  every === 'custom'
    ? cron.trim() !== ''
    : every === 'days'
      ? days.length > 0 && time !== ''
      : every !== 'day' || time !== '';

/** The expression as fields of the simple form; `custom` for all others. */
export function timingOf(cron: string): Timing {
  if (cron === '') return { ...usualTiming, every: 'manual' };
  const simple = /^([0-5]?\d) (\*|[01]?\d|2[0-3]) \* \* (\*|[0-7](?:[,-][0-7])*)$/.exec(cron);
  const [, minute = '', hour = '', week = ''] = simple ?? [];
  const days = week === '*' ? usualTiming.days : daysOf(week);
  if (!simple || days === null || (hour === '*' && week !== '*'))
    return { ...usualTiming, every: 'custom', cron };
  const given = { ...usualTiming, days, minute: Number(minute), cron };
  if (hour === '*') return { ...given, every: 'hour' };
  const time = `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
  return { ...given, minute: 0, time, every: week === '*' ? 'day' : 'days' };
}

/** `1-5` and `0,6`, but not both in one; 7 is Sunday too. */
function daysOf(week: string): number[] | null {
  const range = /^([0-7])-([0-7])$/.exec(week);
  if (!range && week.includes('-')) return null;
  const [first, last] = range ? [Number(range[1]), Number(range[2])] : [0, 0];
  if (range && first > last) return null;
  const all = range
    ? Array.from({ length: last - first + 1 }, (_, index) => first + index)
    : week.split(',').map(Number);
  return [...new Set(all.map((day) => day % 7))].sort((a, b) => a - b);
}

/** How many archives each rule of a schedule keeps, by the names of the API. */
export interface Keep {
  prune_keep_hourly: number;
  prune_keep_daily: number;
  prune_keep_weekly: number;
  prune_keep_monthly: number;
  prune_keep_quarterly: number;
  prune_keep_yearly: number;
  prune_keep_within: string | null;
}

export const counts = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type Count = (typeof counts)[number];

const keep = (daily: number, weekly: number, monthly: number, yearly: number): Keep => ({
  prune_keep_hourly: 0,
  prune_keep_daily: daily,
  prune_keep_weekly: weekly,
  prune_keep_monthly: monthly,
  prune_keep_quarterly: 0,
  prune_keep_yearly: yearly,
  prune_keep_within: null,
});

export const presets = {
  light: keep(7, 4, 3, 0),
  standard: keep(7, 4, 6, 1),
  long: keep(14, 8, 12, 3),
} as const;
export type Preset = keyof typeof presets | 'everything';

export function presetOf(prunes: boolean, rules: Keep): Preset | undefined {
  if (!prunes) return 'everything';
  const names = Object.keys(presets) as (keyof typeof presets)[];
  const fields = Object.keys(presets.light) as (keyof Keep)[];
  return names.find((name) => fields.every((field) => presets[name][field] === rules[field]));
}

/** False for rules that would remove every archive: the server refuses them. */
export const keepsAnything = (rules: Keep): boolean =>
  rules.prune_keep_within !== null || counts.some((count) => rules[`prune_keep_${count}`] !== 0);
