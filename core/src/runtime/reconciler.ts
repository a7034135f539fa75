import { jobs } from '../schema/tables.js';
import type { EngineCore } from './engine-core.js';
import type { JobDispatcher } from './job-dispatcher.js';
import { takeOverJob } from './job-taking.js';
import { LeaseWatch } from './lease-watch.js';

/** Recoveries are short, but each may run the tool. */
const recoveriesAtOnce = 4;
/** More than all instances of a service run at once. */
const mostLooked = 1_000;

/** Looks every few seconds for pending jobs that nobody took and for running ones whose instance vanished. */
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

  /** The first look is at once. */
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
      this.#core.log.warn('the jobs could not be looked through; trying again', { error });
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
      limit: mostLooked,
    });
    const others = leased.filter(({ id }) => !running.get(id));
    for (const job of this.#watch.over(others, clock.now())) {
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
}
