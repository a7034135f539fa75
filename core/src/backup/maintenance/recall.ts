import { say } from '../../foundation/kernel/index.js';
import type { RecallRepository } from '../repositories/index.js';
import { plannedAgain } from '../schedules/calendar/index.js';
import { schedules } from '../schedules/tables.js';
import { type CheckScheduleRow, checkSchedules, type RetentionPauseRow, retentionPauses } from './tables.js';

/** A repository that is registered again is checked as before, and pauses of its retention still hold. */
export const recallInMaintenance: RecallRepository = async (session, { repository, links, at }) => {
  for (const { id: _, ...pause } of links.pauses as unknown as RetentionPauseRow[]) {
    const [schedule] = await session.find(schedules, { where: { id: pause.schedule_id }, limit: 1 });
    if (schedule) await session.insert(retentionPauses, { ...pause, repository_id: repository.id });
  }
  const before = links.checkSchedule as CheckScheduleRow | null;
  if (!before) return { events: [], remarks: [] };
  const planned = plannedAgain(before, at);
  await session.insert(checkSchedules, { ...planned, repository_id: repository.id });
  const remark = say`checks_planned_again: Its regular checks are scheduled again.`;
  return { events: [], remarks: planned.enabled ? [remark] : [] };
};
