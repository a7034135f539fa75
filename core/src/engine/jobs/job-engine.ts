import { atMost, paces } from '../../foundation/kernel/index.js';
import type { EngineCore, JobEngineParts } from './engine-core.js';
import type { JobHandler, JobQueue, ReadingLane } from './job-contract.js';
import { JobDispatcher } from './job-dispatcher.js';
import { JobLedger } from './job-ledger.js';
import { jobOfTimer, makeJobQueue } from './job-queue.js';
import { LaneWaiters } from './lanes.js';
import { makeReadingLane } from './reading-lane.js';
import { Reconciler } from './reconciler.js';
import { RunningJobs } from './running-jobs.js';

export type { JobEngineParts } from './engine-core.js';

export interface JobEngine {
  /** Usable at once; jobs are taken only after `start`. */
  queue: JobQueue;
  lanes: ReadingLane;
  /**
   * Starts taking jobs and recovering abandoned ones. Handlers are passed here because they may need the queue.
   * Timers that are not for a job go to `onOtherTimer`.
   */
  start(handlers: readonly JobHandler[], onOtherTimer?: (key: string) => void): void;
  /**
   * Takes no more jobs, waits `graceMs` for the running ones, then aborts those that remain and waits a limited time
   * for their last write. Stops the timers too. Pending jobs stay for the next start. Never rejects; safe to call
   * twice.
   */
  stop(graceMs: number): Promise<void>;
}

/** Takes jobs from the storage and runs them, together with any number of other instances on the same storage. */
export function makeJobEngine(parts: JobEngineParts): JobEngine {
  const handlers = new Map<JobHandler['kind'], JobHandler>();
  const running = new RunningJobs({
    work: parts.settings.maxConcurrentJobs,
    pull: parts.settings.maxConcurrentPulls ?? parts.settings.maxConcurrentJobs,
  });
  const timings = parts.timings ?? paces.usual.jobs;
  const core: EngineCore = {
    ...parts,
    timings,
    handlers,
    running,
    laneWaiters: new LaneWaiters(),
    ledger: new JobLedger({ ...parts, running, timings }),
  };
  const dispatcher = new JobDispatcher(core);
  const reconciler = new Reconciler(core, dispatcher);
  return {
    queue: makeJobQueue(core, dispatcher),
    lanes: makeReadingLane(core, dispatcher),
    start(given, onOtherTimer) {
      for (const handler of given) handlers.set(handler.kind, handler);
      core.timers.onDue((key) => {
        const jobId = jobOfTimer(key);
        if (jobId !== null) void dispatcher.look(jobId);
        else onOtherTimer?.(key);
      });
      dispatcher.start();
      reconciler.start();
      core.ledger.start();
    },
    stop: (graceMs) => stopEngine(core, { dispatcher, reconciler, graceMs }),
  };
}

async function stopEngine(
  core: EngineCore,
  { dispatcher, reconciler, graceMs }: { dispatcher: JobDispatcher; reconciler: Reconciler; graceMs: number },
): Promise<void> {
  const { abortWait, timerWait } = core.timings;
  const { running } = core;
  const quiet = Promise.all([dispatcher.stop(), reconciler.stop()]);
  const allDone = () => Promise.all(running.all.map(({ done }) => done));
  const abortAll = () => {
    for (const job of running.all) job.abort('shutdown');
  };
  await atMost(graceMs, quiet.then(allDone));
  abortAll();
  // A job that was just being taken starts after this, and is aborted too.
  await atMost(abortWait, quiet.then(abortAll).then(allDone));
  if (running.size > 0) {
    core.log.error('jobs did not end in time; the next start will recover them', {
      jobs: running.size,
    });
  }
  await core.ledger.stop();
  await core.timers
    .drain(timerWait)
    .catch((error: unknown) => core.log.warn('the timers could not be drained', { error }));
}
