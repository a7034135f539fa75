import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, type PluginInstance, StoreError, type TimerService } from '@holdfast/plugin-api';
import type { Agenda, AgendaBackend, Job } from 'agenda';
import pTimeout from 'p-timeout';
import { makeAgenda } from './make-agenda.js';
import { StoreWatch } from './store-watch.js';
import { type Timer, timerName } from './timer.js';
import { TimerRows } from './timer-rows.js';

/** `start` waits this long for the store, then continues without it. */
const startWithin = 1_000;
const connectPause = { first: 250, longest: 5_000 };
const answerWithin = 2_500;
/** The latest time that a Date can hold. */
const endOfTime = 8.64e15;

export interface AgendaTimersOptions {
  /**
   * A backend of Agenda. Its `connect` is retried until it succeeds. Every call must end within a few seconds. Rows
   * must be unique by `name` and `data.key`.
   */
  backend: AgendaBackend;
  /**
   * Names of rows that others write and that stay after they fired. Until one is written again, unlocked, it fires once
   * more each time its lock ends.
   */
  lasting?: readonly string[];
  /** A sentence for an error that waiting does not solve, or null. */
  explain?: (error: unknown) => string | null;
  /** Display name of the store, such as `MongoDB`. */
  service: string;
  log: Log;
  /** Closes the backend's resources. Called once, after the last use. */
  close(): Promise<void>;
}

/** A timer service on Agenda and any of its backends, shared by all instances on one store. */
export const agendaTimerService = (options: AgendaTimersOptions): PluginInstance<TimerService> =>
  new AgendaTimerService(options);

class AgendaTimerService implements PluginInstance<TimerService> {
  readonly #watch: StoreWatch;
  readonly #rows: TimerRows;
  readonly #running = new Set<Promise<void>>();
  readonly #end = new AbortController();
  #handler: ((key: string) => void | Promise<void>) | undefined;
  /** Set once the backend is connected. */
  #agenda: Agenda | undefined;
  #polling: Promise<void> | undefined;

  constructor(private readonly options: AgendaTimersOptions) {
    const { backend, service, log, explain } = options;
    this.#watch = new StoreWatch(service, log, explain);
    this.#rows = new TimerRows({
      repository: backend.repository,
      watch: this.#watch,
      ended: () => this.#drained,
    });
  }

  async start(): Promise<void> {
    await pTimeout(this.#connect(), { milliseconds: startWithin, fallback: () => undefined });
  }

  async stop(): Promise<void> {
    await this.drain(0);
    await this.options.close();
  }

  async health(): Promise<string | null> {
    const problem = this.#watch.problem;
    if (problem !== null || this.#agenda) return problem;
    return `${this.options.service} has not responded yet; timers wait until it does.`;
  }

  async set(key: string, at: number): Promise<void> {
    if (!Number.isFinite(at)) throw new Error(`A timer needs a time in milliseconds, not ${at}.`);
    const agenda = this.#ready();
    const when = new Date(Math.max(0, Math.min(at, endOfTime)));
    await this.#answered(() => this.#save(agenda, key, when));
  }

  async clear(key: string): Promise<void> {
    if (this.#drained) return;
    this.#ready();
    await this.#answered(() => this.#rows.removeKey(key));
  }

  onDue(handler: (key: string) => void | Promise<void>): void {
    this.#handler = handler;
    this.#poll();
  }

  async drain(ms: number): Promise<void> {
    this.#end.abort();
    const ending = Promise.all([this.#endPolling(), ...this.#running]);
    await pTimeout(ending, { milliseconds: Math.max(1, ms), fallback: () => undefined });
  }

  get #drained(): boolean {
    return this.#end.signal.aborted;
  }

  /** Never rejects. */
  async #connect(): Promise<void> {
    const { signal } = this.#end;
    for (let pause = connectPause.first; !signal.aborted; pause = Math.min(2 * pause, connectPause.longest)) {
      try {
        await this.#watch.ask(() => this.options.backend.connect());
        const { backend, log, lasting = [] } = this.options;
        const run = (job: Job<Timer>) => this.#run(job);
        this.#agenda = makeAgenda({ backend, log, rows: this.#rows, lasting, run });
        this.#poll();
        return;
      } catch {
        await sleep(pause, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Starts to take timers once there are both a store and a handler. */
  #poll(): void {
    if (this.#handler && !this.#drained) this.#polling ??= this.#agenda?.start();
  }

  /** Releases the timers that were taken but have not begun to fire. */
  async #endPolling(): Promise<void> {
    await this.#polling;
    await this.#agenda?.stop(false).catch((error: unknown) => {
      this.options.log.debug('timers that were about to fire stay locked for a few seconds', { error });
    });
  }

  async #run(job: Job<Timer>): Promise<void> {
    const running = this.#fire(job);
    this.#running.add(running);
    await running.finally(() => this.#running.delete(running));
  }

  async #fire({ attrs }: Job<Timer>): Promise<void> {
    if (this.#drained || !(await this.#rows.holds(attrs))) return;
    // Drained while the row was read: release it for another instance.
    if (this.#drained) return this.#rows.repository.unlockJob(attrs);
    const { key } = attrs.data;
    try {
      await this.#handler?.(key);
    } catch (error) {
      this.options.log.error('timer handler failed', { key, error });
    }
    if (attrs.name === timerName) await this.#rows.remove(attrs);
  }

  async #save(agenda: Agenda, key: string, when: Date): Promise<void> {
    const timer: Timer = { key, arming: randomUUID() };
    await agenda.create(timerName, timer).unique({ 'data.key': key }).schedule(when).save();
  }

  #ready(): Agenda {
    if (this.#drained) throw new Error('The timer service has been stopped.');
    if (this.#agenda && this.#watch.problem === null) return this.#agenda;
    throw this.#unavailable();
  }

  async #answered(work: () => Promise<void>): Promise<void> {
    await pTimeout(work(), { milliseconds: answerWithin }).catch((cause: unknown) => {
      throw this.#unavailable(cause);
    });
  }

  #unavailable(cause?: unknown): StoreError {
    const detail = `${this.options.service} did not accept the timer. Try again in a few seconds.`;
    return new StoreError('unavailable', detail, { cause });
  }
}
