import { terminalStatuses } from '../jobs/job.rules.js';
import { jobLogs, jobs } from '../schema/tables.js';
import { dayMs, daysAgo, type Sweep } from './sweep.js';

const atOnce = 20;

/** Removes the logs of jobs that ended long ago; the jobs stay. Answers up to which end it came. */
export async function removeOldLogs(sweep: Sweep): Promise<number> {
  const { storage, going, retention } = sweep;
  const until = daysAgo(sweep, retention.jobLogDays);
  // A clock that was ahead once must not make everything before it stay.
  const from = sweep.place === null || sweep.place > until ? 0 : sweep.place - dayMs;
  const where = {
    status: { in: terminalStatuses },
    completed_at: { gte: from, lt: until },
    log_lines: { gt: 0 },
  };
  let place = from;
  while (going()) {
    const rows = await storage.find(jobs, { where, order: [['completed_at', 'asc']], limit: atOnce });
    for (const { id } of rows) {
      await storage.remove(jobLogs, { job_id: id });
      await storage.update(jobs, { id }, { log_lines: 0 });
    }
    if (rows.length < atOnce) return until;
    place = rows.at(-1)?.completed_at ?? place;
  }
  return place;
}
