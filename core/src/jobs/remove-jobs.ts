import type { StorageBackend, StorageSession } from '@holdfast/plugin-api';
import { inTransaction } from '../kernel/index.js';
import { terminalStatuses } from './job.rules.js';
import { noteRemoved } from './job-figures.js';
import { jobLogs, jobs } from './tables.js';

/** Before the job's own row: a log is large, and would make a long transaction. */
export const removeLog = (session: StorageSession, job_id: number) => session.remove(jobLogs, { job_id });

/** The job of a log that is gone says that it has none. */
export const noteLogRemoved = (session: StorageSession, id: number) =>
  session.update(jobs, { id }, { log_lines: 0 });

/** Of these those that ended; what they count for stays. */
export const removeEndedJobs = (storage: StorageBackend, ids: readonly number[]): Promise<void> =>
  inTransaction(storage, async (session) => {
    const rows = await session.find(jobs, { where: { id: { in: ids }, status: { in: terminalStatuses } } });
    await noteRemoved(session, rows);
    await session.remove(jobs, { id: { in: rows.map(({ id }) => id) } });
  });
