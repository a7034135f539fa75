/** Runs a backup, judges its result, and recovers one that was cut off. */

export { backupHandler } from './backup-handler.js';
export { refuseUnlessBackable } from './backup-job.js';
export { pruneStopper } from './prune-stopper.js';
export { type SourceNeeds, sourceHost } from './pull/remote-source.js';
export { backupsUseCases } from './use-cases.js';
