import { atMost, invalid, say } from '../../foundation/kernel/index.js';
import type { EngineCore } from './engine-core.js';
import { findJob } from './find-job.js';
import { isTerminal, type JobKind } from './job.rules.js';
import type { JobDispatcher } from './job-dispatcher.js';
import { settleJob } from './job-settlement.js';
import { type JobRow, jobs } from './tables.js';

type Cancelled = { terminated: boolean; job: JobRow };

/** See `JobQueue.cancel`. */
export async function cancelJob(
  core: EngineCore,
  dispatcher: JobDispatcher,
  { jobId, kind }: { jobId: number; kind: JobKind },
): Promise<Cancelled> {
  for (;;) {
    const job = await findJob(core.storage, kind, jobId);
    if (isTerminal(job.status)) {
      const name = kind.replaceAll('_', ' ');
      throw invalid(
        say`job_already_ended: The ${{ kind: name }} job ${{ id: jobId }} has ended (${{ status: job.status }}): only pending and running jobs can be cancelled.`,
      );
    }
    if (job.status === 'running') {
      const where = { id: jobId, fence: job.fence, status: 'running' as const };
      const asked = await core.storage.update(jobs, where, { cancel_requested: true });
      if (asked > 0) return untilEnded(core, jobId, kind);
      continue;
    }
    const end = {
      status: 'cancelled' as const,
      error: say`job_cancelled_before_start: Cancelled by a user before it started.`,
      outcome: null,
    };
    const settled = await settleJob(core, { job, from: 'pending', end });
    if (!settled) continue;
    void dispatcher.ended(settled.repository_id);
    return { terminated: false, job: settled };
  }
}

async function untilEnded(core: EngineCore, jobId: number, kind: JobKind): Promise<Cancelled> {
  const { cancelWait, waitPoll } = core.timings;
  const deadline = performance.now() + cancelWait;
  for (;;) {
    const job = await findJob(core.storage, kind, jobId);
    if (isTerminal(job.status)) return { terminated: job.status === 'cancelled' && job.tool !== null, job };
    if (performance.now() >= deadline) return { terminated: false, job };
    const here = core.running.get(jobId);
    here?.abort('cancelled');
    await atMost(waitPoll, here?.done ?? new Promise(() => {}));
  }
}

/** See `JobQueue.whenEnded`. */
export async function whenJobEnded(
  core: EngineCore,
  { jobId, kind, waitMs }: { jobId: number; kind: JobKind; waitMs: number },
): Promise<JobRow> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const job = await findJob(core.storage, kind, jobId);
    const left = deadline - performance.now();
    if (isTerminal(job.status) || left <= 0) return job;
    const ended = core.running.get(jobId)?.done ?? new Promise(() => {});
    await atMost(Math.min(left, core.timings.waitPoll), ended);
  }
}
