import { downloadLog, readLog } from '../../engine/jobs/index.js';
import { useCasesOf } from '../../foundation/kernel/index.js';
import { readManifest } from './manifest.js';
import type { RestoreNeeds } from './needs.js';
import { planRestore } from './plan-restore.js';
import { startDumpRestore } from './restore-dump.js';
import { cancelRestore, getRestoreStatus, listRestoreJobs, startRestore } from './start-restore.js';

export const restoreUseCases = (dependencies: RestoreNeeds) => ({
  ...useCasesOf(dependencies, {
    startDumpRestore,
    listRestoreJobs,
    getRestoreStatus,
    cancelRestore,
    readManifest,
  }),
  planRestore: planRestore(dependencies),
  startRestore: startRestore(dependencies),

  readRestoreLog: readLog.bind(null, dependencies, 'restore'),
  downloadRestoreLog: downloadLog(dependencies, 'restore'),
});
