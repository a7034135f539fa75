import type { JobParameters, JobRepository } from 'agenda';
import type { StoreWatch } from './store-watch.js';
import { type Timer, timerName } from './timer.js';

export interface TimerRowsParts {
  repository: JobRepository;
  watch: StoreWatch;
  /** True once no more timers may be taken. */
  ended(): boolean;
}

/**
 * The rows of timers, over the repository of any backend. Only `set`, locking and removal change a row: Agenda's own
 * writes before and after a run would undo a concurrent `set`.
 */
export class TimerRows {
  /** The repository for Agenda. */
  readonly repository: JobRepository;
  readonly #querying = new Set<string>();

  constructor(private readonly parts: TimerRowsParts) {
    const { repository } = parts;
    const own: Partial<JobRepository> = {
      saveJobState: async () => undefined,
      unlockJob: (job) => this.#unlock(job),
      getNextJobToRun: (...query) => this.#next(query),
    };
    this.repository = new Proxy(repository, {
      get(target, name) {
        const value: unknown = own[name as keyof JobRepository] ?? Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /** True while the row is still locked by this run: not set again, cleared or taken over. */
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

  /** One query at a time for each name: if the store hangs, they would pile up, one with each poll. */
  async #next(query: Parameters<JobRepository['getNextJobToRun']>): Promise<JobParameters | undefined> {
    const [name] = query;
    if (this.#querying.has(name) || this.parts.ended()) return undefined;
    this.#querying.add(name);
    try {
      const { repository, watch } = this.parts;
      const job = await watch.ask(() => repository.getNextJobToRun(...query));
      if (!job || !this.parts.ended()) return job;
      await this.#unlock(job);
      return undefined;
    } finally {
      this.#querying.delete(name);
    }
  }

  /** Agenda does not wait for this. A row that stays locked can be taken again when its lock expires. */
  async #unlock(job: JobParameters): Promise<void> {
    await this.parts.repository.unlockJob(job).catch(() => undefined);
  }
}

const sameInstant = (a: Date | undefined, b: Date | undefined) =>
  a !== undefined && b !== undefined && new Date(a).getTime() === new Date(b).getTime();
