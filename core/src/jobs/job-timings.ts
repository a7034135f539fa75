/** The clocks of the job engine, in milliseconds. */
export interface JobTimings {
  /** How long a taken job belongs to its instance without being confirmed. */
  lease: number;
  renewEvery: number;
  /** How often a run looks whether another instance asked for its end. */
  pollEvery: number;
  /** A lease is taken over only this long after its end: clocks differ. */
  takeOverAfter: number;
  /** How long a run whose lease went by unconfirmed may ask the storage once more; below `takeOverAfter`. */
  confirmWithin: number;
  progressEvery: number;
  logEvery: number;
  reconcileEvery: number;
  reconcileAtMost: number;
  /** How long `cancel` waits for the end of a running job. */
  cancelWait: number;
  /** How often those who wait for a lane or an end look by themselves. */
  waitPoll: number;
  /** What `stop` gives aborted jobs to end their tool and write their last state. */
  abortWait: number;
  /** What `stop` gives running timer handlers. */
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
  abortWait: 15_000,
  timerWait: 1_000,
};
