/** Checks, repairs, prunes and compacts repositories. */

export { passphraseHandler } from './change-passphrase.js';
export { checkHandler } from './check.js';
export { forgetInMaintenance, getCheckSchedule, plannedChecks } from './check-schedules.js';
export { compactHandler } from './compact.js';
export { keepingOf } from './kept-by.js';
export { isDryRun } from './maintenance-job.rules.js';
export { checkJobFacts, compactJobFacts, passphraseJobFacts, pruneJobFacts } from './maintenance-jobs.js';
export { pruneHandler } from './prune.js';
export { queueAfterBackup } from './queue-maintenance.js';
export { recallInMaintenance } from './recall.js';
export {
  type DatedArchive,
  keepsAnything,
  planRetention,
  type RetentionPlan,
  type RetentionRules,
} from './retention.rules.js';
export {
  findPause,
  forgetPauses,
  pauseReason,
  pauseText,
  readPauses,
  resumeRetention,
} from './retention-pauses.js';
export * from './tables.js';
export { maintenanceUseCases } from './use-cases.js';
export { weigh } from './weigh.js';
