import type { EngineCore } from './engine-core.js';
import type { JobDispatcher } from './job-dispatcher.js';
import { LeaseWatch } from './job-lease.js';
import { returnJob, takeOverJob } from './job-taking.js';
import { instances, type JobRow, jobs } from './tables.js';

/** Recoveries are short, but each may run the tool. */
const recoveriesAtOnce = 4;
/** More than the jobs that all instances run at once. */
const maxExamined = 1_000;

/** Looks every few seconds for pending jobs that nobody took and for running jobs whose instance vanished. */
export class Reconciler {
  readonly #core: EngineCore;
  readonly #dispatcher: JobDispatcher;
  readonly #watch: LeaseWatch;
  #timer: NodeJS.Timeout | undefined;
  #round: Promise<void> = Promise.resolve();
  #stopped = false;
  #recovering = 0;

  constructor(core: EngineCore, dispatcher: JobDispatcher) {
    this.#core = core;
    this.#dispatcher = dispatcher;
    this.#watch = new LeaseWatch(core.timings);
  }

  /** Looks at once for the first time. */
  start(): void {
    this.#round = this.#loop();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#round;
  }

  async #loop(): Promise<void> {
    const { reconcileEvery, reconcileAtMost } = this.#core.timings;
    const began = performance.now();
    try {
      await this.#dispatcher.advanceAll();
      await this.#recoverAbandoned();
    } catch (error) {
      this.#core.log.warn('the jobs could not be read; retrying', { error });
    }
    if (this.#stopped) return;
    const pause = Math.min(reconcileAtMost, Math.max(reconcileEvery, 10 * (performance.now() - began)));
    this.#timer = setTimeout(() => {
      this.#round = this.#loop();
    }, pause);
  }

  async #recoverAbandoned(): Promise<void> {
    const { storage, clock, running } = this.#core;
    const leased = await storage.find(jobs, {
      where: { status: 'running' },
      order: [['lease_until', 'asc']],
      limit: maxExamined,
    });
    const others = leased.filter(({ id }) => !running.get(id));
    await this.#returnUnstarted(others);
    const over = new Set([...this.#watch.over(others, clock.now()), ...(await this.#ofGone(others))]);
    for (const job of over) {
      if (this.#stopped || this.#recovering >= recoveriesAtOnce) return;
      const taken = await takeOverJob(this.#core, job);
      if (!taken) continue;
      this.#recovering += 1;
      const done = this.#dispatcher.run(taken, 'recover', null);
      void done.then(() => {
        this.#recovering -= 1;
      });
    }
  }

  /** Returns jobs that were taken although the storage failed before confirming it: nobody started them. */
  async #returnUnstarted(others: readonly JobRow[]): Promise<void> {
    const { instanceId, log, running } = this.#core;
    for (const job of others.filter(({ id, owner }) => owner === instanceId && running.unconfirmed.has(id))) {
      log.info('a job was taken without confirmation; it was returned to the queue', { job: job.id });
      await returnJob(this.#core, { job });
    }
  }

  /** Jobs whose instance is known to have ended: nobody renews their lease. */
  async #ofGone(running: readonly JobRow[]): Promise<JobRow[]> {
    const { storage, isGone } = this.#core;
    if (!isGone || running.length === 0) return [];
    const owners = [...new Set(running.flatMap(({ owner }) => owner ?? []))];
    const rows = await storage.find(instances, { where: { uid: { in: owners } } });
    const gone = new Set(rows.filter(isGone).map(({ uid }) => uid));
    return running.filter(({ owner }) => owner !== null && gone.has(owner));
  }
}
