import type { AbortWhy } from './job-aborted.js';

export interface RunningJob {
  abort(why: AbortWhy): void;
  /** Settles, without an error, once this instance has nothing more to do with the job. */
  done: Promise<void>;
}

/** The jobs that this instance runs, and its places for more. */
export class RunningJobs {
  readonly #jobs = new Map<number, RunningJob>();
  #places: number;

  constructor(places: number) {
    this.#places = places;
  }

  get(jobId: number): RunningJob | undefined {
    return this.#jobs.get(jobId);
  }

  get all(): RunningJob[] {
    return [...this.#jobs.values()];
  }

  get size(): number {
    return this.#jobs.size;
  }

  get hasPlace(): boolean {
    return this.#places > 0;
  }

  /** Takes a place before the job is taken; false when all are used. */
  occupy(): boolean {
    if (this.#places <= 0) return false;
    this.#places -= 1;
    return true;
  }

  vacate(): void {
    this.#places += 1;
  }

  add(jobId: number, job: RunningJob): void {
    this.#jobs.set(jobId, job);
    void job.done.finally(() => this.#jobs.delete(jobId));
  }
}
