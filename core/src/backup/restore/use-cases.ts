import { downloadLog, readLog } from '../../engine/jobs/index.js';
import { readManifest } from './manifest.js';
import type { RestoreNeeds } from './needs.js';
import { planRestore } from './plan-restore.js';
import { cancelRestore, getRestoreStatus, listRestoreJobs, startRestore } from './start-restore.js';

export const restoreUseCases = (dependencies: RestoreNeeds) => ({
  planRestore: planRestore(dependencies),
  startRestore: startRestore(dependencies),
  listRestoreJobs: listRestoreJobs(dependencies),
  getRestoreStatus: getRestoreStatus(dependencies),
  cancelRestore: cancelRestore(dependencies),
  readManifest: readManifest(dependencies),
  readRestoreLog: readLog(dependencies, 'restore'),
  downloadRestoreLog: downloadLog(dependencies, 'restore'),
});
