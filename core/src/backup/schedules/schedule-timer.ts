import { type PlanTable, slotTimers } from './calendar/index.js';
import { type ScheduleRow, schedules } from './tables.js';

export const scheduleTimers = slotTimers('schedule:', {
  kind: 'schedule',
  // It has all columns but the repository.
  table: schedules as unknown as PlanTable,
  namesOf: async (_, rows) => new Map((rows as unknown as ScheduleRow[]).map(({ id, name }) => [id, name])),
});
export const { isOwn: isScheduleTimer, set: setScheduleTimer } = scheduleTimers;
