import type { Dependencies } from '../dependencies.js';

/** AppError `not_found`; `invalid` when the job ended before. */
export const cancelBackup =
  ({ jobs }: Pick<Dependencies, 'jobs'>) =>
  async (jobId: number) => {
    const { terminated, job } = await jobs.cancel(jobId, 'backup');
    const message =
      job.status === 'cancelled' ? 'Backup cancelled.' : 'Cancelling: the backup tool is being ended.';
    return { success: true as const, message, process_terminated: terminated };
  };
