/** Checks, repairs, prunes and compacts repositories. */

export { checkHandler } from './check.js';
export { forgetInChecks, getCheckSchedule } from './check-schedules.js';
export { makeCheckWorker } from './check-worker.js';
export { compactHandler } from './compact.js';
export { isDryRun } from './maintenance-job.rules.js';
export { pruneHandler } from './prune.js';
export { queueAfterBackup } from './queue-maintenance.js';
export {
  type DatedArchive,
  planRetention,
  type RetentionPlan,
  type RetentionRules,
} from './retention.rules.js';
export { maintenanceUseCases } from './use-cases.js';
