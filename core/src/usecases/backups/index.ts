import type { Dependencies } from '../dependencies.js';
import { cancelBackup } from './cancel-backup.js';
import { getBackupStatus } from './get-backup-status.js';
import { listBackupJobs } from './list-backup-jobs.js';
import { downloadBackupLog, readBackupLog } from './read-backup-log.js';
import { startBackup } from './start-backup.js';

export const backupsUseCases = (dependencies: Dependencies) => ({
  startBackup: startBackup(dependencies),
  listBackupJobs: listBackupJobs(dependencies),
  getBackupStatus: getBackupStatus(dependencies),
  cancelBackup: cancelBackup(dependencies),
  readBackupLog: readBackupLog(dependencies),
  downloadBackupLog: downloadBackupLog(dependencies),
});
