import type { StorageSession } from '@holdfast/plugin-api';
import { notFound, say } from '../../../foundation/kernel/index.js';
import { type ScheduleRow, schedules } from '../tables.js';

/** Throws AppError `not_found`. */
export async function findSchedule(session: StorageSession, id: number): Promise<ScheduleRow> {
  const [row] = await session.find(schedules, { where: { id }, limit: 1 });
  if (!row) throw notFound(say`schedule_unknown: There is no schedule ${{ id }}: see GET /api/schedule/.`);
  return row;
}
