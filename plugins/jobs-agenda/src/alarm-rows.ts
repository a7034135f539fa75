import type { JobParameters, JobRepository } from 'agenda';
import { type Alarm, alarmName } from './alarm.js';
import type { StoreWatch } from './store-watch.js';

export interface AlarmRowsParts {
  repository: JobRepository;
  watch: StoreWatch;
  /** True once nothing may be taken any more. */
  ended(): boolean;
}

/**
 * The rows of alarms, over the repository of any backend. A row changes by `ring`, by being locked and by being
 * removed, and by nothing else: Agenda's own writes before and after a run would undo a `ring` that came meanwhile.
 */
export class AlarmRows {
  /** What Agenda is given. */
  readonly repository: JobRepository;
  #asking = false;

  constructor(private readonly parts: AlarmRowsParts) {
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

  /** True while the row is the one that was locked: neither rung again nor silenced nor taken over. */
  async holds(job: JobParameters<Alarm>): Promise<boolean> {
    const row = job._id ? await this.parts.repository.getJobById(job._id) : null;
    const data = row?.data as Alarm | undefined;
    return data?.arming === job.data.arming && sameInstant(row?.lockedAt, job.lockedAt);
  }

  /** Removes the row unless it was rung again. */
  async remove({ _id: id, data: { arming } }: JobParameters<Alarm>): Promise<void> {
    await this.parts.repository.removeJobs({ id, data: { arming } });
  }

  async removeKey(key: string): Promise<void> {
    await this.parts.repository.removeJobs({ name: alarmName, data: { key } });
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
