/** Plans of backups and their runs. */

export { makeScheduleRunner, type ScheduleRunner } from './schedule-runner.js';
export { getSchedule, giveScheduleUids, noteSchedule } from './schedules.js';
export { forgetInSchedules, settleSlot } from './settle-slot.js';
export { schedulesUseCases } from './use-cases.js';
