import type { JobParameters, JobRepository } from 'agenda';
import type { StoreWatch } from './store-watch.js';
import { type Timer, timerName } from './timer.js';

export interface TimerRowsParts {
  repository: JobRepository;
  watch: StoreWatch;
  /** True once nothing may be taken any more. */
  ended(): boolean;
}

/**
 * The rows of timers, over the repository of any backend. A row changes by `set`, by being locked and by being
 * removed, and by nothing else: Agenda's own writes before and after a run would undo a `set` that came meanwhile.
 */
export class TimerRows {
  /** What Agenda is given. */
  readonly repository: JobRepository;
  #asking = false;

  constructor(private readonly parts: TimerRowsParts) {
    const { repository } = parts;
    const own: Partial<JobRepository> = {
      saveJobState: async () => undefined,
      unlockJob: (job) => this.#unlock(job),
      getNextJobToRun: (...question) => this.#next(question),
    };
    this.repository = new Proxy(repository, {
      get(target, name) {
        const value: unknown = own[name as keyof JobRepository] ?? Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** True while the row is the one that was locked: neither set again nor cleared nor taken over. */
  async holds(job: JobParameters<Timer>): Promise<boolean> {
    const row = job._id ? await this.parts.repository.getJobById(job._id) : null;
    const data = row?.data as Timer | undefined;
    return data?.arming === job.data.arming && sameInstant(row?.lockedAt, job.lockedAt);
  }

  /** Removes the row unless it was set again. */
  async remove({ _id: id, data: { arming } }: JobParameters<Timer>): Promise<void> {
    await this.parts.repository.removeJobs({ id, data: { arming } });
  }

  async removeKey(key: string): Promise<void> {
    await this.parts.repository.removeJobs({ name: timerName, data: { key } });
  }

  /** One question at a time: against a store that hangs they would pile up, one with each look. */
  async #next(question: Parameters<JobRepository['getNextJobToRun']>): Promise<JobParameters | undefined> {
    if (this.#asking || this.parts.ended()) return undefined;
    this.#asking = true;
    try {
      const { repository, watch } = this.parts;
      const job = await watch.ask(() => repository.getNextJobToRun(...question));
      if (!job || !this.parts.ended()) return job;
      await this.#unlock(job);
      return undefined;
    } finally {
      this.#asking = false;
    }
  }

  /** Agenda does not wait for it. A row that stays locked is taken when its lock has ended. */
  async #unlock(job: JobParameters): Promise<void> {
    await this.parts.repository.unlockJob(job).catch(() => undefined);
  }
}

const sameInstant = (a: Date | undefined, b: Date | undefined) =>
  a !== undefined && b !== undefined && new Date(a).getTime() === new Date(b).getTime();
