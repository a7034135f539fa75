import { col, entity, type RowOf } from '@holdfast/plugin-api';
import type { MessageParams } from '../../foundation/kernel/index.js';
import { planColumns, planRunColumns } from '../schedules/calendar/tables.js';

/**
 * When a repository is checked automatically: at most one row per repository. `next_run` is authoritative for
 * what is due.
 */
export const checkSchedules = entity(
  'check_schedule',
  {
    ...planColumns,
    /** Seconds; above 0 the checks are partial. */
    max_duration: col.integer.required(),
    verify_data: col.boolean.default(false),
    notify_on_success: col.boolean.default(false),
    notify_on_failure: col.boolean.default(true),
    ...planRunColumns,
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
