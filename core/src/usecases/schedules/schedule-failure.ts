import type { NewEvent } from '../../domain/event.js';
import type { RepositoryRow, ScheduleRow } from '../../schema/tables.js';

/** A schedule could not run. `repository` when it was about one. */
export const scheduleFailure = (
  schedule: Pick<ScheduleRow, 'id' | 'name'>,
  { error, plannedAt = null }: { error: string; plannedAt?: number | null },
  repository: Pick<RepositoryRow, 'id' | 'name' | 'path'> | null = null,
): NewEvent => ({
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
  },
});
