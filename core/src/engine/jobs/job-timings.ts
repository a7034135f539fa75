/** Intervals and timeouts of the job engine, in milliseconds. */
export interface JobTimings {
  /** How long a taken job belongs to its instance without a renewal. */
  lease: number;
  renewEvery: number;
  /** How often a run checks whether its job was cancelled at another instance. */
  pollEvery: number;
  /** A job is taken over only this long after its lease ended, because clocks differ. */
  takeOverAfter: number;
  /** How long a run whose lease ended unconfirmed may try to confirm it; less than `takeOverAfter`. */
  confirmWithin: number;
  progressEvery: number;
  logEvery: number;
  reconcileEvery: number;
  reconcileAtMost: number;
  /** How long `cancel` waits for the end of a running job. */
  cancelWait: number;
  /** How often to check while waiting for a lane or the end of a job. */
  waitPoll: number;
  /** After how long a tool that does nothing no longer counts among those that run. */
  stalledAfter: number;
  /** How long `stop` waits for aborted jobs to end their tool and write their state. */
  abortWait: number;
  /** How long `stop` waits for running timer handlers. */
  timerWait: number;
}

export const jobTimings: JobTimings = {
  lease: 20_000,
  renewEvery: 5_000,
  pollEvery: 1_000,
  takeOverAfter: 5_000,
  confirmWithin: 2_000,
  progressEvery: 1_000,
  logEvery: 1_000,
  reconcileEvery: 2_000,
  reconcileAtMost: 10_000,
  cancelWait: 15_000,
  waitPoll: 500,
  stalledAfter: 2 * 60_000,
  abortWait: 15_000,
  timerWait: 1_000,
};
