/** Plans of backups and their runs. */

export { makeScheduleWorker, type ScheduleWorker } from './schedule-worker.js';
export { getSchedule, giveScheduleUids, noteSchedule } from './schedules.js';
export { forgetInSchedules, settleSlot } from './settle-slot.js';
export { schedulesUseCases } from './use-cases.js';
