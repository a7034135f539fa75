import type { StorageSession } from '@holdfast/plugin-api';
import { say } from '../../foundation/kernel/index.js';
import type { Forgotten, RecallRepository } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import { plannedAgain } from '../schedules/calendar/index.js';
import { type DrillScheduleRow, type DrillStandingRow, drillSchedules, drillStandings } from './tables.js';

/** Runs in the transaction that removes the repository. The evidence of its drills stays. */
export async function forgetInDrills(
  session: StorageSession,
  { repository }: { repository: RepositoryRow },
): Promise<Forgotten> {
  await session.remove(drillSchedules, { repository_id: repository.id });
  await session.remove(drillStandings, { repository_id: repository.id });
  return {};
}

/** Restores the drill schedule and earlier results of a repository that is registered again. */
export const recallInDrills: RecallRepository = async (session, { repository, links, at }) => {
  const standing = links.drillStanding as DrillStandingRow | null | undefined;
  if (standing) {
    const { id: _, ...values } = standing;
    await session.insert(drillStandings, { ...values, repository_id: repository.id });
  }
  const before = links.drillSchedule as DrillScheduleRow | null | undefined;
  if (!before) return { events: [], remarks: [] };
  const planned = plannedAgain(before, at);
  await session.insert(drillSchedules, { ...planned, repository_id: repository.id });
  const remark = say`drills_planned_again: Its restore drills are scheduled again.`;
  return { events: [], remarks: planned.enabled ? [remark] : [] };
};
