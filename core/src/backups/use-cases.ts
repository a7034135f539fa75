import type { Dependencies } from '../dependencies.js';
import { downloadLog, readLog } from '../jobs/read-job-log.js';
import { cancelBackup } from './cancel-backup.js';
import { getBackupStatus } from './get-backup-status.js';
import { listBackupJobs } from './list-backup-jobs.js';
import { startBackup } from './start-backup.js';

export const backupsUseCases = (dependencies: Dependencies) => ({
  startBackup: startBackup(dependencies),
  listBackupJobs: listBackupJobs(dependencies),
  getBackupStatus: getBackupStatus(dependencies),
  cancelBackup: cancelBackup(dependencies),
  readBackupLog: readLog(dependencies, 'backup'),
  downloadBackupLog: downloadLog(dependencies, 'backup'),
});
