import type { ScheduleView } from '@holdfast/contracts';
import type { StorageSession } from '../ports/storage.js';
import { scheduleView } from './schedule-view.js';
import { findSchedule } from '../calendar/find-schedule.js';
import { repositoriesOf } from './schedule-repositories.js';

/** AppError `not_found`. */
export async function viewSchedule(
  session: StorageSession,
  { id, now }: { id: number; now: number },
): Promise<ScheduleView> {
  const row = await findSchedule(session, id);
  const linked = await repositoriesOf(session, [id]);
  return scheduleView(row, { repositories: linked.get(id) ?? [], now });
}
