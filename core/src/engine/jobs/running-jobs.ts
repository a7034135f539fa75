import type { AbortReason } from './job-aborted.js';

export interface RunningJob {
  abort(reason: AbortReason): void;
  /** Resolves once this instance has nothing more to do with the job. Never rejects. */
  done: Promise<void>;
}

/** Pulls have their own places, so that a host that hangs does not block other work. */
export type PlaceKind = 'work' | 'pull';

/** The jobs that this instance runs, and its free places. */
export class RunningJobs {
  readonly #jobs = new Map<number, RunningJob>();
  readonly #places: Record<PlaceKind, number>;
  /** Jobs that this instance tried to take without confirmation. It never started them. */
  readonly unconfirmed = new Set<number>();

  constructor(places: Record<PlaceKind, number>) {
    this.#places = { ...places };
  }

  get(jobId: number): RunningJob | undefined {
    return this.#jobs.get(jobId);
  }

  get all(): RunningJob[] {
    return [...this.#jobs.values()];
  }

  get ids(): number[] {
    return [...this.#jobs.keys()];
  }

  get size(): number {
    return this.#jobs.size;
  }

  hasPlace(kind: PlaceKind): boolean {
    return this.#places[kind] > 0;
  }

  /** Takes a place before a job is taken; false when all are in use. */
  occupy(kind: PlaceKind): boolean {
    if (!this.hasPlace(kind)) return false;
    this.#places[kind] -= 1;
    return true;
  }

  vacate(kind: PlaceKind): void {
    this.#places[kind] += 1;
  }

  /** Of a job that goes on after its place was free for others: then more jobs run than there are places. */
  retake(kind: PlaceKind): void {
    this.#places[kind] -= 1;
  }

  add(jobId: number, job: RunningJob): void {
    this.unconfirmed.delete(jobId);
    this.#jobs.set(jobId, job);
    void job.done.finally(() => this.#jobs.delete(jobId));
  }
}
