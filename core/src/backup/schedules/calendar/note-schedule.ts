import type { StorageSession } from '@holdfast/plugin-api';
import type { ScheduleRow } from '../tables.js';

/** Writes results into the row of a schedule. Does nothing when the schedule was deleted. */
export type NoteSchedule = (
  session: StorageSession,
  id: number,
  facts: Partial<
    Pick<
      ScheduleRow,
      | 'last_compact'
      | 'last_error'
      | 'last_error_code'
      | 'last_error_params'
      | 'last_prune'
      | 'pre_backup_script_parameters'
      | 'post_backup_script_parameters'
    >
  >,
) => Promise<unknown>;
