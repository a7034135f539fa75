import { isTerminal } from './job.rules.js';
import type { StorageBackend } from '../ports/storage.js';
import { jobLogs, jobs } from '../schema/tables.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { jobLogLimits } from './job-log.js';

/** Adds lines, already fit for a log, to that of a job that ended. Nothing when it runs or is gone. */
export function appendJobLog(
  { storage }: { storage: StorageBackend },
  jobId: number,
  lines: readonly string[],
): Promise<void> {
  return inTransaction(storage, async (session) => {
    const [job] = await session.find(jobs, { where: { id: jobId }, limit: 1 });
    if (!job || !isTerminal(job.status) || lines.length === 0) return;
    await session.update(jobs, { id: jobId }, { log_lines: job.log_lines + lines.length });
    for (let at = 0; at < lines.length; at += jobLogLimits.chunkLines) {
      const chunk = lines.slice(at, at + jobLogLimits.chunkLines);
      const place = { job_id: jobId, first_line: job.log_lines + at, line_count: chunk.length };
      await session.insert(jobLogs, { ...place, content: chunk.join('\n') });
    }
  });
}
