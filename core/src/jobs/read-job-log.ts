import type { JobKind } from './job.rules.js';
import { notFound } from '../kernel/errors.js';
import { readJobLog, streamJobLog } from './job-log-reader.js';
import type { Dependencies } from '../dependencies.js';
import { findJob } from './find-job.js';

/** Lines from `offset` (0-based) on; a job without lines gives an empty page. AppError `not_found`. */
export const readLog =
  ({ storage }: Pick<Dependencies, 'storage'>, kind: JobKind) =>
  async (jobId: number, { offset, limit }: { offset: number; limit: number }) => {
    const job = await findJob(storage, kind, jobId);
    const page = await readJobLog(storage, jobId, { offset, limit });
    return { success: true as const, job_id: jobId, status: job.status, ...page };
  };

/** The whole log as text. AppError `not_found`, also when the job has no lines. */
export const downloadLog =
  ({ storage }: Pick<Dependencies, 'storage'>, kind: JobKind) =>
  async (jobId: number) => {
    const job = await findJob(storage, kind, jobId);
    const name = kind.replaceAll('_', ' ');
    if (job.log_lines === 0) {
      throw notFound(`${name[0]?.toUpperCase()}${name.slice(1)} job ${jobId} has no log lines.`);
    }
    return {
      fileName: `${kind}_job_${jobId}_logs.txt`,
      contentType: 'text/plain; charset=utf-8',
      stream: streamJobLog(storage, jobId),
    };
  };

/** The last lines as one text, or null when there are none. */
export async function lastLines(
  { storage }: Pick<Dependencies, 'storage'>,
  { id, log_lines }: { id: number; log_lines: number },
  most: number,
): Promise<string | null> {
  if (log_lines === 0) return null;
  const { lines } = await readJobLog(storage, id, { offset: Math.max(0, log_lines - most), limit: most });
  return lines.map(({ content }) => content).join('\n');
}
