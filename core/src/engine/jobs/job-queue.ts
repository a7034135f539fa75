import type { StorageSession } from '@holdfast/plugin-api';
import { inTransaction, newUid } from '../../foundation/kernel/index.js';
import { repositories } from '../registry/tables.js';
import type { EngineCore } from './engine-core.js';
import { describeJob, type JobKind, noProgress } from './job.rules.js';
import { cancelJob, whenJobEnded } from './job-cancellation.js';
import type { JobQueue, NewJob } from './job-contract.js';
import type { JobDispatcher } from './job-dispatcher.js';
import { jobEvent } from './job-events.js';
import { isReadyToRun } from './job-taking.js';
import { holdersNow } from './lanes.js';
import { waitsForSameSources } from './same-sources.js';
import { type JobRow, jobs, lanes } from './tables.js';

const timerPrefix = 'job:';
/**
 * Timers make other instances look for jobs. A few are enough when a great many jobs arrive at once: an instance that
 * looks continues while it has places, and its reconciler looks too.
 */
const timersAtOnce = 5;

/** The job id in the key of a timer, or null. */
export function jobOfTimer(key: string): number | null {
  const id = key.startsWith(timerPrefix) ? Number(key.slice(timerPrefix.length)) : Number.NaN;
  return Number.isSafeInteger(id) ? id : null;
}

export function makeJobQueue(core: EngineCore, dispatcher: JobDispatcher): JobQueue {
  const { storage, clock, timers, log } = core;
  let firing = 0;
  return {
    insert: (job, session) =>
      session ? insertJob(core, session, job) : inTransaction(storage, (own) => insertJob(core, own, job)),

    wake(jobId) {
      core.events.nudge();
      core.ledger.note(jobId);
      void dispatcher.look(jobId);
      if (firing >= timersAtOnce) return;
      firing += 1;
      const onError = (error: unknown) =>
        log.debug('the timer of a job could not be fired; the reconciler will find it', {
          job: jobId,
          error,
        });
      void timers
        .set(`${timerPrefix}${jobId}`, clock.now())
        .catch(onError)
        .finally(() => {
          firing -= 1;
        });
    },

    waitsFor: (repositoryId, kind) => waitsFor(core, repositoryId, kind),
    cancel: (jobId, kind) => cancelJob(core, dispatcher, { jobId, kind }),
    whenEnded: (jobId, kind, waitMs) => whenJobEnded(core, { jobId, kind, waitMs }),
  };
}

async function insertJob(
  { clock, events }: EngineCore,
  session: StorageSession,
  job: NewJob,
): Promise<JobRow> {
  const { kind, repository, parameters, requestedBy, scheduleId, slotId } = job;
  const row = await session.insert(jobs, {
    uid: newUid(),
    kind,
    status: 'pending',
    repository_id: repository.id,
    repository_path: repository.path,
    repository_name: repository.name,
    schedule_id: scheduleId ?? null,
    slot_id: slotId ?? null,
    requested_by: requestedBy,
    requested_at: clock.now(),
    parameters,
    progress: noProgress,
  });
  await events.record(session, jobEvent('job_queued', row));
  return row;
}

const placesOf = {
  work: 'a free job slot',
  pull: 'a free slot for backups of other hosts',
};

async function waitsFor(
  core: EngineCore,
  repositoryId: number,
  kind: JobKind | undefined,
): Promise<string | null> {
  const { storage, clock, running } = core;
  const [last] = await storage.find(jobs, {
    where: { repository_id: repositoryId, status: 'pending' },
    order: [['id', 'desc']],
    limit: 1,
  });
  if (last) return describeJob(last);
  const [lane] = await storage.find(lanes, { where: { repository_id: repositoryId }, limit: 1 });
  const [holder] = lane ? await holdersNow(storage, lane, clock.now()) : [];
  if (holder) return holder.what;
  const [repository] = await storage.find(repositories, { where: { id: repositoryId }, limit: 1 });
  if (repository && kind === 'backup') {
    const isReady = (next: JobRow) => isReadyToRun(core, storage, next);
    const same = await waitsForSameSources(storage, { job: null, repository, isReady });
    if (same) return same.text;
  }
  const place = repository?.source_connection_id ? 'pull' : 'work';
  return running.hasPlace(place) ? null : placesOf[place];
}
