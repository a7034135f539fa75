import { slots } from '../schema/tables.js';
import { slotView } from './schedule-view.js';
import type { Dependencies } from '../dependencies.js';
import { findSchedule } from '../calendar/find-schedule.js';

/** A page of the ledger, newest first. AppError `not_found`. */
export const listScheduleRuns =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (id: number, { limit, offset }: { limit: number; offset: number }) => {
    await findSchedule(storage, id);
    const where = { schedule_id: id };
    const rows = await storage.find(slots, { where, order: [['planned_at', 'desc']], limit, offset });
    const [counted] = await storage.aggregate(slots, { where, measures: { total: { count: true } } });
    return { success: true as const, runs: rows.map(slotView), total: counted?.total ?? 0 };
  };
