import { say } from '../../foundation/kernel/index.js';
import type { RecallRepository } from '../repositories/index.js';
import { recordScheduleChange } from './schedule-changed.js';
import { scheduleRepositories, schedules } from './tables.js';

/**
 * Gives a repository that is registered again its place in its schedules. A schedule that its removal disabled stays
 * so, and is named.
 */
export const recallInSchedules: RecallRepository = async (session, { repository, links, events }) => {
  const changes = [];
  const disabled: string[] = [];
  for (const { id, uid, position, disabled: wasDisabled } of links.schedules) {
    const [schedule] = await session.find(schedules, { where: { id, uid }, limit: 1 });
    if (!schedule) continue;
    await session.insert(scheduleRepositories, { schedule_id: id, repository_id: repository.id, position });
    changes.push(await recordScheduleChange(session, events, { change: 'updated', schedule }));
    if (wasDisabled && !schedule.enabled) disabled.push(schedule.name);
  }
  const remark = say`schedules_still_disabled: These schedules were disabled when the repository was removed, and still are: ${{ schedules: disabled }}. Enable them when they should run again.`;
  return { events: changes, remarks: disabled.length > 0 ? [remark] : [] };
};
