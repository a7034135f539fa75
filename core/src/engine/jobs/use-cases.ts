import { type Caller, forbidden, ReadCache, say } from '../../foundation/kernel/index.js';
import { findJob } from './find-job.js';
import { describeJob, type JobKind, type JobStatus } from './job.rules.js';
import { newestJobs } from './job-list.js';
import { downloadLog, readLog } from './job-log-reader.js';
import { type JobKinds, jobView, progressView } from './job-view.js';
import type { JobsNeeds } from './needs.js';
import { makeProgressFeed } from './progress-feed.js';

/** Use cases for jobs of every kind. */
export const jobsUseCases = (needs: JobsNeeds, kinds: JobKinds) => ({
  listJobs: listJobs(needs, kinds),
  getJob: getJob.bind(null, needs, kinds),
  cancelJob: cancelJob.bind(null, needs, kinds),
  readJobLog: readLog.bind(null, needs, null),
  downloadJobLog: downloadLog(needs, null),
  progress: makeProgressFeed(needs),
  progressView,
});

export interface JobsQuery {
  kind?: JobKind[] | undefined;
  status?: JobStatus[] | undefined;
  repository_id?: number | undefined;
  schedule_id?: number | undefined;
  before?: number | undefined;
  limit: number;
}

/** Newest first. `next_before` is null on the last page. */
const listJobs = ({ storage }: JobsNeeds, kinds: JobKinds) => {
  const cache = new ReadCache(storage);
  return ({ isAdmin, readOnly }: Caller, query: JobsQuery) =>
    cache.read(JSON.stringify([query, isAdmin, readOnly]), async () => {
      const { kind, status, repository_id, schedule_id, before, limit } = query;
      const filter = { kinds: kind, statuses: status, repositoryId: repository_id, scheduleId: schedule_id };
      const rows = await newestJobs(storage, filter, { before, limit: limit + 1 });
      const shown = rows.slice(0, limit);
      return {
        success: true as const,
        jobs: shown.map((job) => jobView(job, kinds, { isAdmin, readOnly })),
        next_before: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
      };
    });
};

/** Throws AppError `not_found`. */
async function getJob({ storage }: JobsNeeds, kinds: JobKinds, caller: Caller, id: number) {
  return {
    success: true as const,
    job: jobView(await findJob(storage, null, id), kinds, caller),
  };
}

/**
 * Throws AppError `not_found`; `forbidden` where only an administrator may; `invalid` when the job has already ended.
 */
async function cancelJob({ storage, jobs }: JobsNeeds, kinds: JobKinds, caller: Caller, id: number) {
  const found = await findJob(storage, null, id);
  if (!caller.isAdmin && kinds[found.kind].needsAdmin(found)) {
    throw forbidden(
      say`job_cancelled_by_administrators: Only an administrator may cancel the ${{ job: describeJob(found) }}.`,
    );
  }
  const { terminated, job } = await jobs.cancel(id, found.kind);
  const message =
    job.status === 'cancelled'
      ? `The ${describeJob(job)} was cancelled.`
      : 'Cancelling: Borg is being stopped.';
  return { success: true as const, message, process_terminated: terminated };
}
