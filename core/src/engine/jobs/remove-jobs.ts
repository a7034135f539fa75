import type { StorageBackend, StorageSession } from '@holdfast/plugin-api';
import { inTransaction } from '../../foundation/kernel/index.js';
import { terminalStatuses } from './job.rules.js';
import { noteRemoved } from './job-figures.js';
import { jobLogs, jobs } from './tables.js';

/** Removes the log before the row of the job: logs are large and would make the transaction long. */
export const removeLog = (session: StorageSession, job_id: number) => session.remove(jobLogs, { job_id });

/** Records that a job has no log any longer. */
export const noteLogRemoved = (session: StorageSession, id: number) =>
  session.update(jobs, { id }, { log_lines: 0 });

/** Removes those of these jobs that have ended. Their figures stay. */
export const removeEndedJobs = (storage: StorageBackend, ids: readonly number[]): Promise<void> =>
  inTransaction(storage, async (session) => {
    const rows = await session.find(jobs, { where: { id: { in: ids }, status: { in: terminalStatuses } } });
    await noteRemoved(session, rows);
    await session.remove(jobs, { id: { in: rows.map(({ id }) => id) } });
  });
