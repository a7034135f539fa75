import type { ScheduleChanges } from '@holdfast/contracts';
import type { RetentionSettings } from './calendar/index.js';
import { type ScheduleRow, schedules } from './tables.js';

const ruleFields = [
  'prune_keep_hourly',
  'prune_keep_daily',
  'prune_keep_weekly',
  'prune_keep_monthly',
  'prune_keep_quarterly',
  'prune_keep_yearly',
  'prune_keep_within',
] as const satisfies readonly (keyof RetentionSettings)[];

type Rules = Omit<RetentionSettings, 'run_prune_after'>;

const defaults = [...ruleFields, 'run_prune_after'] as const;

/** The retention of a new schedule, as the table has it. */
export const newRetention = Object.fromEntries(
  defaults.map((field) => [field, schedules.columns[field].default ?? null]),
) as unknown as RetentionSettings;

/** The given rules, and those of `base` for the others. */
export const rulesOver = (base: Rules, given: Partial<Record<keyof Rules, unknown>>): Rules => ({
  ...base,
  // The request schema has validated each value for its field.
  ...(Object.fromEntries(
    ruleFields.map((field) => [field, given[field]]).filter(([, value]) => value !== undefined),
  ) as Partial<Rules>),
});

/** Rules are stored without effect while the schedule does not prune. Silent if the caller switched it off. */
export function unusedRules(input: ScheduleChanges, row: ScheduleRow): string[] {
  if (row.run_prune_after || input.run_prune_after !== undefined) return [];
  const given = ruleFields.filter((field) => input[field]);
  if (given.length === 0) return [];
  const [are, have] = given.length === 1 ? ['is', 'has'] : ['are', 'have'];
  return [
    `${given.join(', ')} ${are} stored but ${have} no effect: the schedule keeps everything until run_prune_after ` +
      'is true.',
  ];
}
