/** Runs a backup, judges its result, and recovers an interrupted one. */

export { endEvents } from './backup-events.js';
export { backupHandler } from './backup-handler.js';
export { assertBackable, nameZoneOf } from './backup-job.js';
export { massChangeReason } from './mass-change.rules.js';
export { pruneSkipReason } from './prune-skip-reason.js';
export { backupJobFacts, backupsUseCases } from './use-cases.js';
