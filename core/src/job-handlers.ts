import { archiveDeletionHandler } from './archives/deletion.js';
import { backupHandler } from './backups/backup-handler.js';
import type { Dependencies } from './dependencies.js';
import type { JobHandler } from './jobs/job-contract.js';
import { patientReads } from './kernel/transactions.js';
import { checkHandler } from './maintenance/check.js';
import { compactHandler } from './maintenance/compact.js';
import { pruneHandler } from './maintenance/prune.js';
import { restoreHandler } from './restore/restore-handler.js';

/** One handler for each kind of job that this release does. */
export function makeJobHandlers(dependencies: Dependencies): JobHandler[] {
  const patient = { ...dependencies, storage: patientReads(dependencies.storage) };
  return [
    backupHandler(patient),
    archiveDeletionHandler(patient),
    pruneHandler(patient),
    compactHandler(patient),
    checkHandler(patient),
    restoreHandler(patient),
  ];
}
