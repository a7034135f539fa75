import type { StorageSession } from '@holdfast/plugin-api';
import type { EventBus, EventRow } from '../../foundation/events/index.js';
import { type ScheduleRow, scheduleRepositories } from './tables.js';

export const repositoryIdsOf = async (session: StorageSession, scheduleId: number): Promise<number[]> =>
  (await session.find(scheduleRepositories, { where: { schedule_id: scheduleId } })).map(
    ({ repository_id }) => repository_id,
  );

export interface ScheduleChange {
  change: 'created' | 'updated' | 'deleted';
  schedule: Pick<ScheduleRow, 'id' | 'name' | 'enabled'>;
  /** Those that it had before, beside those that it has now. */
  formerRepositories?: readonly number[];
}

/** Records the change of a schedule, in the transaction of that change. */
export async function recordScheduleChange(
  session: StorageSession,
  events: Pick<EventBus, 'record'>,
  { change, schedule: { id, name, enabled }, formerRepositories = [] }: ScheduleChange,
): Promise<EventRow> {
  const repository_ids = [...new Set([...formerRepositories, ...(await repositoryIdsOf(session, id))])];
  const data = { schedule_id: id, name, change, enabled, repository_ids };
  return events.record(session, { kind: 'schedule_changed', repositoryId: null, jobId: null, data });
}
