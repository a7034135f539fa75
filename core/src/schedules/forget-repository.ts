import type { StorageSession } from '../ports/storage.js';
import type { EventBus } from '../events/event-bus.js';
import { type EventRow, type RepositoryRow, scheduleRepositories, schedules } from '../schema/tables.js';
import { scheduleFailure } from '../calendar/schedule-failure.js';

/**
 * Takes a repository that is being deleted out of all schedules. One that is left without any is disabled, says so,
 * and is reported once. The events are to be announced after the commit.
 */
export async function forgetRepository(
  session: StorageSession,
  { repository, events }: { repository: RepositoryRow; events: Pick<EventBus, 'record'> },
): Promise<EventRow[]> {
  const links = await session.find(scheduleRepositories, { where: { repository_id: repository.id } });
  await session.remove(scheduleRepositories, { repository_id: repository.id });
  const recorded: EventRow[] = [];
  for (const { schedule_id: id } of links) {
    const [other] = await session.find(scheduleRepositories, { where: { schedule_id: id }, limit: 1 });
    const [schedule] = await session.find(schedules, { where: { id }, limit: 1 });
    if (other || !schedule) continue;
    const error =
      `Its last repository, ${repository.name}, was deleted, so the schedule was disabled: ` +
      'give it another one, then enable it.';
    await session.update(schedules, { id }, { enabled: false, last_error: error });
    recorded.push(await events.record(session, scheduleFailure(schedule, { error }, [repository])));
  }
  return recorded;
}
