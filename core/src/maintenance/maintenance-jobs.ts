import type { Caller } from '../kernel/caller.rules.js';
import type { CheckParameters } from './maintenance-job.rules.js';
import { forbidden } from '../kernel/errors.js';
import { type JobRow, jobs } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findJob } from '../jobs/find-job.js';
import { downloadLog, lastLines, readLog } from '../jobs/read-job-log.js';

type Needs = Pick<Dependencies, 'storage' | 'jobs'>;
type Kind = 'check' | 'compact' | 'prune';

const shownLines = 1_000;

/** What may be asked of the jobs of one kind; `view` is for lists, `single` for one job. */
export const maintenanceJobs = <View, Single>(
  needs: Needs,
  kind: Kind,
  { view, single }: { view(job: JobRow): View; single(job: JobRow): Single },
) => ({
  /** AppError `not_found`. */
  async get(jobId: number) {
    const job = await findJob(needs.storage, kind, jobId);
    return { success: true as const, ...single(job), logs: await lastLines(needs, job, shownLines) };
  },

  /** Newest first; none of a repository that is not registered. */
  async list(repositoryId: number, { limit }: { limit: number }) {
    const where = { repository_id: repositoryId, kind };
    const rows = await needs.storage.find(jobs, { where, order: [['id', 'desc']], limit });
    return { success: true as const, jobs: rows.map(view) };
  },

  /** AppError `not_found`; `invalid` when the job ended before; `forbidden` for a repair, but for administrators. */
  async cancel(caller: Caller, jobId: number) {
    const { parameters } = await findJob(needs.storage, kind, jobId);
    if ((parameters as CheckParameters).repair === true && !caller.isAdmin) {
      throw forbidden('Only an administrator may cancel a repair.');
    }
    const { terminated, job } = await needs.jobs.cancel(jobId, kind);
    const name = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
    const message =
      job.status === 'cancelled' ? `${name} cancelled.` : 'Cancelling: the backup tool is being ended.';
    return { success: true as const, message, process_terminated: terminated };
  },

  readLog: readLog(needs, kind),
  downloadLog: downloadLog(needs, kind),
});
