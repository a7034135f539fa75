import { jobs } from '../schema/tables.js';
import { restoreJobView } from './restore-view.js';
import type { Dependencies } from '../dependencies.js';
import { findJob } from '../jobs/find-job.js';
import { lastLines } from '../jobs/read-job-log.js';

type Needs = Pick<Dependencies, 'storage' | 'jobs'>;

const shownLines = 1_000;

/** Newest first. */
export const listRestoreJobs =
  ({ storage }: Needs) =>
  async ({ limit }: { limit: number }) => {
    const rows = await storage.find(jobs, { where: { kind: 'restore' }, order: [['id', 'desc']], limit });
    return { success: true as const, jobs: rows.map(restoreJobView) };
  };

/** AppError `not_found`. */
export const getRestoreStatus = (needs: Needs) => async (jobId: number) => {
  const job = await findJob(needs.storage, 'restore', jobId);
  return { success: true as const, ...restoreJobView(job), logs: await lastLines(needs, job, shownLines) };
};

/** Up to the first move into place the target stays as it was; later the restore completes. AppErrors of `cancel`. */
export const cancelRestore =
  ({ jobs: queue }: Needs) =>
  async (jobId: number) => {
    const { terminated, job } = await queue.cancel(jobId, 'restore');
    const message =
      job.status === 'cancelled'
        ? 'Restore cancelled; the target is as it was.'
        : 'Cancelling: the backup tool is being ended.';
    return { success: true as const, message, process_terminated: terminated };
  };
