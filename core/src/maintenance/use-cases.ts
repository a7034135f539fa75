import {
  checkJobView,
  compactJobView,
  prunedArchives,
  pruneJobView,
} from './maintenance-job-view.js';
import type { Dependencies } from '../dependencies.js';
import { breakLock } from './break-lock.js';
import { getCheckSchedule } from './get-check-schedule.js';
import { listRunningJobs } from './list-running-jobs.js';
import { maintenanceJobs } from './maintenance-jobs.js';
import { putCheckSchedule } from './put-check-schedule.js';
import { startCheck, startRepair } from './start-check.js';
import { startCompact } from './start-compact.js';
import { startPrune } from './start-prune.js';

export const maintenanceUseCases = (dependencies: Dependencies) => ({
  startCheck: startCheck(dependencies),
  startRepair: startRepair(dependencies),
  startCompact: startCompact(dependencies),
  startPrune: startPrune(dependencies),
  breakLock: breakLock(dependencies),
  listRunningJobs: listRunningJobs(dependencies),
  checks: maintenanceJobs(dependencies, 'check', { view: checkJobView, single: checkJobView }),
  compacts: maintenanceJobs(dependencies, 'compact', { view: compactJobView, single: compactJobView }),
  prunes: maintenanceJobs(dependencies, 'prune', {
    view: pruneJobView,
    single: (job) => ({ ...pruneJobView(job), archives: prunedArchives(job) }),
  }),
  getCheckSchedule: getCheckSchedule(dependencies),
  putCheckSchedule: putCheckSchedule(dependencies),
});
