import type { Schemas } from '../../../api/client.js';

export type Setting = Schemas['NotificationSettingView'];

/** The flags of a channel, the ones that matter most first. */
export const flags = [
  'notify_on_backup_late',
  'notify_on_backup_on_time_again',
  'notify_on_damaged',
  'notify_on_backup_failure',
  'notify_on_backup_warning',
  'notify_on_backup_success',
  'notify_on_backup_start',
  'notify_on_restore_failure',
  'notify_on_restore_success',
  'notify_on_check_failure',
  'notify_on_check_success',
  'notify_on_schedule_failure',
  'notify_on_retention_paused',
  'notify_on_incident',
  'notify_on_report_weekly',
] as const satisfies readonly (keyof Setting)[];

export type Flag = (typeof flags)[number];
