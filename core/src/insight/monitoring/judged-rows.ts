import type { RowOf } from '@holdfast/plugin-api';
import { repositories } from '../../backup/repositories/index.js';
import { schedules } from '../../backup/schedules/index.js';
import { partOf } from '../../foundation/kernel/index.js';

/** The input of protection, attention and metrics. */
export const judgedRepositories = partOf(
  repositories,
  ...([
    'id',
    'name',
    'path',
    'mode',
    'connection_id',
    'freshness_hours',
    'created_at',
    'removed_at',
  ] as const),
  ...(['archive_count', 'stored_size', 'inventory_at', 'last_check', 'place_free', 'place_total'] as const),
  ...([
    'place_at',
    'open_error',
    'open_error_at',
    'open_error_kind',
    'source_connection_id',
    'unfinished_archives',
    'unsigned_archives',
    'mass_change',
    'mass_change_at',
  ] as const),
  ...(['last_backup', 'last_compact', 'left_out', 'tags'] as const),
  // The columns that a recovery sheet depends on.
  ...(['uid', 'remote_path', 'tool_id', 'encryption', 'credentials_at'] as const),
);
export type JudgedRepository = RowOf<typeof judgedRepositories>;

export const judgedSchedules = partOf(
  schedules,
  ...(['id', 'name', 'enabled', 'cron_expression', 'timezone', 'pause_until'] as const),
  ...(['next_run', 'last_run'] as const),
  ...(['last_planned', 'last_late_ms', 'last_error', 'last_error_code', 'last_error_params'] as const),
);
export type JudgedSchedule = RowOf<typeof judgedSchedules>;
