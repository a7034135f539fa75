import type { Dependencies } from '../dependencies.js';
import { createSchedule } from './create-schedule.js';
import { deleteSchedule } from './delete-schedule.js';
import { duplicateSchedule } from './duplicate-schedule.js';
import { getSchedule } from './get-schedule.js';
import { listCronPresets } from './list-cron-presets.js';
import { listScheduleRuns } from './list-schedule-runs.js';
import { listSchedules } from './list-schedules.js';
import { listUpcomingJobs } from './list-upcoming-jobs.js';
import { runScheduleNow } from './run-schedule-now.js';
import { toggleSchedule } from './toggle-schedule.js';
import { updateSchedule } from './update-schedule.js';
import { validateCron } from './validate-cron.js';

export const schedulesUseCases = (dependencies: Dependencies) => ({
  createSchedule: createSchedule(dependencies),
  deleteSchedule: deleteSchedule(dependencies),
  duplicateSchedule: duplicateSchedule(dependencies),
  getSchedule: getSchedule(dependencies),
  listCronPresets: listCronPresets(),
  listScheduleRuns: listScheduleRuns(dependencies),
  listSchedules: listSchedules(dependencies),
  listUpcomingJobs: listUpcomingJobs(dependencies),
  runScheduleNow: runScheduleNow(dependencies),
  toggleSchedule: toggleSchedule(dependencies),
  updateSchedule: updateSchedule(dependencies),
  validateCron: validateCron(dependencies),
});
