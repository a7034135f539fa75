/** Cron expressions, slots and runs of backup schedules, and the archives that their retention covers. */

export { adoptWithin } from './adopt-archives.js';
export * from './calendar/index.js';
export { plannedBackups } from './fire-schedule.js';
export { scriptsAround } from './hook-warnings.js';
export { getPause } from './pause-all.js';
export { recallInSchedules } from './recall.js';
export { runScheduleNow } from './runs.js';
export { getSchedule, giveScheduleUids, noteSchedule } from './schedules.js';
export { forgetInSchedules, settleSlot } from './settle-slot.js';
export * from './tables.js';
export { schedulesUseCases } from './use-cases.js';
export {
  announceSchedule,
  conflictIfNameTaken,
  createSchedule,
  scheduleInsertion,
  updateSchedule,
} from './write-schedule.js';
