import { backupJobView } from './backup-job-view.js';
import type { Dependencies } from '../dependencies.js';
import { findJob } from '../jobs/find-job.js';

export const getBackupStatus =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (jobId: number) => ({
    success: true as const,
    ...backupJobView(await findJob(storage, 'backup', jobId)),
  });
