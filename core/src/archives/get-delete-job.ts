import { readJobLog } from '../jobs/job-log-reader.js';
import { deleteJobView } from './delete-job-view.js';
import type { Dependencies } from '../dependencies.js';
import { findJob } from '../jobs/find-job.js';

const lastLines = 50;

/** AppError `not_found`. */
export const getDeleteJob =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (jobId: number) => {
    const job = await findJob(storage, 'archive_deletion', jobId);
    const offset = Math.max(0, job.log_lines - lastLines);
    const { lines } = await readJobLog(storage, jobId, { offset, limit: lastLines });
    return {
      success: true as const,
      ...deleteJobView(
        job,
        lines.map((line) => line.content),
      ),
    };
  };
