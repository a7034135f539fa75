import type { StorageSession } from '@holdfast/plugin-api';
import type { ScheduleRow } from '../schedules/tables.js';

/** How those who work for a schedule write into its row. Nothing when it was deleted meanwhile. */
export type NoteSchedule = (
  session: StorageSession,
  id: number,
  facts: Partial<
    Pick<
      ScheduleRow,
      | 'last_compact'
      | 'last_error'
      | 'last_prune'
      | 'pre_backup_script_parameters'
      | 'post_backup_script_parameters'
    >
  >,
) => Promise<unknown>;
