import type { CheckScheduleView } from '@holdfast/contracts';
import type { StorageSession } from '../ports/storage.js';
import { type CheckScheduleRow, checkSchedules } from '../schema/tables.js';
import { checkScheduleView } from './check-schedule-view.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from '../repositories/find-repository.js';

/** What holds for a repository whose checks were never planned. */
export const noCheckSchedule: Omit<CheckScheduleRow, 'id' | 'repository_id'> = {
  cron_expression: null,
  timezone: 'UTC',
  enabled: false,
  max_duration: 3600,
  verify_data: false,
  notify_on_success: false,
  notify_on_failure: true,
  last_run: null,
  last_planned: null,
  next_run: null,
  last_error: null,
};

export async function findCheckSchedule(
  session: StorageSession,
  repositoryId: number,
): Promise<CheckScheduleRow | null> {
  const [row] = await session.find(checkSchedules, { where: { repository_id: repositoryId }, limit: 1 });
  return row ?? null;
}

/** AppError `not_found`. */
export const getCheckSchedule =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (repositoryId: number): Promise<CheckScheduleView & { success: true }> => {
    const { id, name, path } = await findRepository(storage, { repository_id: repositoryId });
    const row = (await findCheckSchedule(storage, id)) ?? noCheckSchedule;
    return {
      success: true,
      ...{ repository_id: id, repository_name: name, repository_path: path },
      ...checkScheduleView(row),
      enabled: row.enabled,
    };
  };
