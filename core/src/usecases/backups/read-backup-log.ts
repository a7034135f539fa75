import { notFound } from '../../errors.js';
import { readJobLog, streamJobLog } from '../../runtime/job-log-reader.js';
import type { Dependencies } from '../dependencies.js';
import { findJob } from '../shared/find-job.js';

/** Lines from `offset` (0-based) on; a job without lines gives an empty page. */
export const readBackupLog =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (jobId: number, { offset, limit }: { offset: number; limit: number }) => {
    const job = await findJob(storage, 'backup', jobId);
    const page = await readJobLog(storage, jobId, { offset, limit });
    return { success: true as const, job_id: jobId, status: job.status, ...page };
  };

/** The whole log as text. AppError `not_found` when the job has no lines. */
export const downloadBackupLog =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (jobId: number) => {
    const job = await findJob(storage, 'backup', jobId);
    if (job.log_lines === 0) throw notFound(`Backup job ${jobId} has no log lines.`);
    return {
      fileName: `backup_job_${jobId}_logs.txt`,
      contentType: 'text/plain; charset=utf-8',
      stream: streamJobLog(storage, jobId),
    };
  };
