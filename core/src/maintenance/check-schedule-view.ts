import type { CheckScheduleRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

export const checkScheduleView = (row: Omit<CheckScheduleRow, 'id' | 'repository_id'>) => ({
  check_cron_expression: row.cron_expression,
  timezone: row.timezone,
  last_scheduled_check: isoTime(row.last_run),
  next_scheduled_check: isoTime(row.next_run),
  check_max_duration: row.max_duration,
  check_verify_data: row.verify_data,
  notify_on_check_success: row.notify_on_success,
  notify_on_check_failure: row.notify_on_failure,
  last_error: row.last_error,
});
