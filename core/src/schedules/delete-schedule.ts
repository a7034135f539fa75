import { inTransaction } from '../kernel/in-transaction.js';
import { jobs, scheduleRepositories, schedules, slots } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findSchedule } from '../calendar/find-schedule.js';

/** Jobs that wait or run go on, and stay in the list without the schedule. AppError `not_found`. */
export const deleteSchedule =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (id: number) => {
    const { name } = await inTransaction(storage, async (session) => {
      const row = await findSchedule(session, id);
      await session.remove(scheduleRepositories, { schedule_id: id });
      await session.remove(slots, { schedule_id: id });
      await session.update(jobs, { schedule_id: id }, { schedule_id: null, slot_id: null });
      await session.remove(schedules, { id });
      return row;
    });
    return { success: true as const, message: `Schedule ${name} was deleted; its archives stay.` };
  };
