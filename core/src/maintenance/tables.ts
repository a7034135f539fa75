import { col, entity, type RowOf } from '@holdfast/plugin-api';
import type { MessageParams } from '../kernel/message.js';

/**
 * When a repository is checked automatically: at most one row per repository. `next_run` is authoritative for
 * what is due.
 */
export const checkSchedules = entity(
  'check_schedule',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    /** Null: switched off. */
    cron_expression: col.text().nullable(),
    /** IANA name. */
    timezone: col.text().required(),
    /** Whether there is a cron expression. */
    enabled: col.boolean.required(),
    /** Seconds; above 0 the checks are partial. */
    max_duration: col.integer.required(),
    verify_data: col.boolean.default(false),
    notify_on_success: col.boolean.default(false),
    notify_on_failure: col.boolean.default(true),
    last_run: col.timestamp.nullable(),
    /** The planned instant of the last run. No instant runs twice, even when the clock goes back. */
    last_planned: col.timestamp.nullable(),
    next_run: col.timestamp.nullable(),
    /** Why the last scheduled check did not start, for display. */
    last_error: col.text().nullable(),
    last_error_code: col.text().nullable(),
    last_error_params: col.json<MessageParams>().nullable(),
  },
  { unique: [['repository_id']], indexes: [['enabled', 'next_run']] },
);

export type CheckScheduleRow = RowOf<typeof checkSchedules>;

/** Where a schedule removes no archives until somebody lifts the pause: see `retention-pauses.ts`. */
export const retentionPauses = entity(
  'retention_pause',
  {
    id: col.id(),
    schedule_id: col.integer.required(),
    repository_id: col.integer.required(),
    /** A clause, for sentences. */
    reason: col.text().required(),
    reason_code: col.text().nullable(),
    reason_params: col.json<MessageParams>().nullable(),
    /** The backup that it was paused after. */
    job_id: col.integer.required(),
    since: col.timestamp.required(),
  },
  { unique: [['schedule_id', 'repository_id']], indexes: [['repository_id']] },
);

export type RetentionPauseRow = RowOf<typeof retentionPauses>;
