import type { Schemas } from '../../../api/client.js';

export const periods = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type Period = (typeof periods)[number];
export type Counts = Record<Period, number> & { within: string };
type Schedule = Schemas['ScheduleView'];
export type Pruned = Schemas['PrunedArchive'];

export const standard: Counts = {
  hourly: 0,
  daily: 7,
  weekly: 4,
  monthly: 6,
  quarterly: 0,
  yearly: 1,
  within: '',
};

export const countsOf = (schedule: Schedule): Counts => ({
  hourly: schedule.prune_keep_hourly,
  daily: schedule.prune_keep_daily,
  weekly: schedule.prune_keep_weekly,
  monthly: schedule.prune_keep_monthly,
  quarterly: schedule.prune_keep_quarterly,
  yearly: schedule.prune_keep_yearly,
  within: schedule.prune_keep_within ?? '',
});

/** Rules that were tried, with the time zone of their schedule. */
export type Tried = Schemas['PruneInput'] & { timezone: string | null };

/** As the API takes them. */
export const inputOf = (counts: Counts, scheduleId: number | null): Schemas['PruneInput'] => ({
  keep_hourly: counts.hourly,
  keep_daily: counts.daily,
  keep_weekly: counts.weekly,
  keep_monthly: counts.monthly,
  keep_quarterly: counts.quarterly,
  keep_yearly: counts.yearly,
  ...(counts.within.trim() && { keep_within: counts.within.trim() }),
  ...(scheduleId !== null && { schedule_id: scheduleId }),
});

export type Fate = 'kept' | 'pinned' | 'removed';

export const fateOf = ({ rule }: Pruned): Fate =>
  rule === 'removed' ? rule : rule.startsWith('pinned: ') ? 'pinned' : 'kept';

export const isRemoved = ({ rule }: Pruned): boolean => rule === 'removed';

/** The same rules for a preview: those that are not given count as off. */
export const previewOf = (repositoryId: number, { timezone, ...input }: Tried) => ({
  repository_id: repositoryId,
  schedule_id: input.schedule_id ?? null,
  ...Object.fromEntries(periods.map((period) => [`prune_keep_${period}`, input[`keep_${period}`] ?? 0])),
  prune_keep_within: input.keep_within ?? null,
  ...(timezone !== null && { timezone }),
  lost: true,
});

/** Whether the number must be typed to confirm. */
export const isMoreThanHalf = (removed: number, all: number): boolean => removed * 2 > all;
