import type { NewEvent } from '../../../foundation/events/index.js';
import type { RepositoryRow } from '../../repositories/tables.js';
import type { ScheduleRow } from '../tables.js';

type Named = Pick<RepositoryRow, 'id' | 'name' | 'path'>;

/** The event for a schedule that could not run. `concerned`: its repositories, or the one that failed. */
export const scheduleFailure = (
  schedule: Pick<ScheduleRow, 'name'> & { id: number | null },
  { error, plannedAt = null }: { error: string; plannedAt?: number | null },
  concerned: readonly Named[] = [],
): NewEvent => {
  const repository = concerned.length === 1 ? concerned[0] : null;
  return {
    kind: 'schedule_failure',
    repositoryId: repository?.id ?? null,
    jobId: null,
    data: {
      schedule_id: schedule.id,
      schedule_name: schedule.name,
      planned_at: plannedAt,
      error_message: error,
      repository_name: repository?.name ?? null,
      repository_path: repository?.path ?? null,
      repository_ids: concerned.map(({ id }) => id),
    },
  };
};
