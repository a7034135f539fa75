import type { ScheduleChanges } from '@holdfast/contracts';
import { checkTemplate } from '../repositories/archive-template.rules.js';
import { type RetentionSettings, retentionOf } from '../calendar/schedule.rules.js';
import { conflict, invalid, isStoreError } from '../kernel/errors.js';
import type { ScheduleRow } from '../schema/tables.js';

/** Checks the placeholders; a blank template means the default name. AppError `invalid`. */
export function checkArchiveNames({ archive_name_template: template }: ScheduleChanges): void {
  const problem = template?.trim() ? checkTemplate(template) : null;
  if (problem) throw invalid(`archive_name_template: ${problem}`);
}

/** Checks what the settings mean together. AppError `invalid`. */
export function checkRetention(schedule: RetentionSettings): void {
  const kept = Object.values(retentionOf(schedule)).some((count) => count > 0);
  if (schedule.run_prune_after && !kept) {
    throw invalid(
      'With run_prune_after at least one of the prune_keep_ counts must be above 0: ' +
        'all at 0 would remove every archive of the schedule.',
    );
  }
}

/** Runs a write of a schedule; a taken name becomes AppError `conflict`. */
export async function sayingNameIsTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique') || error.key !== 'name') throw error;
    throw conflict('Another schedule has this name: choose another.', { cause: error });
  }
}

type Settings = Omit<
  ScheduleRow,
  'id' | 'uid' | 'created_at' | 'updated_at' | 'next_run' | `last_${string}` | 'enabled'
>;

const settingFields = {
  name: true,
  cron_expression: true,
  timezone: true,
  catch_up: true,
  description: true,
  archive_name_template: true,
  run_repository_scripts: true,
  pre_backup_script_id: true,
  post_backup_script_id: true,
  pre_backup_script_parameters: true,
  post_backup_script_parameters: true,
  run_prune_after: true,
  run_compact_after: true,
  prune_keep_hourly: true,
  prune_keep_daily: true,
  prune_keep_weekly: true,
  prune_keep_monthly: true,
  prune_keep_quarterly: true,
  prune_keep_yearly: true,
} satisfies Record<keyof Settings, true>;

const texts = ['description', 'archive_name_template'] as const;

/** The columns of the settings that were given; blank texts become null, the cron expression is tidied. */
export function settingsGiven(input: ScheduleChanges): Partial<Settings> {
  const given: Record<string, unknown> = {};
  for (const field of Object.keys(settingFields)) {
    const value = input[field as keyof Settings];
    if (value !== undefined) given[field] = value;
  }
  for (const field of texts) {
    const text = given[field];
    if (typeof text === 'string' && text.trim() === '') given[field] = null;
  }
  if (input.cron_expression !== undefined) given.cron_expression = tidyCron(input.cron_expression);
  // The schema of the request made each value fit its column.
  return given as Partial<Settings>;
}

/** One space between the fields. */
export const tidyCron = (expression: string): string => expression.trim().split(/\s+/).join(' ');
