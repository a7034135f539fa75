import type { Log, TimerService } from '@holdfast/plugin-api';
import pTimeout from 'p-timeout';

/** `setTimeout` fires at once with a longer delay. */
const longestTimer = 2 ** 31 - 1;

/** Timers in this process. Nothing is stored: after a restart, whoever owns the rows sets the due timers again. */
export class ProcessTimers implements TimerService {
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #handler: (key: string) => void | Promise<void> = () => undefined;
  #drained = false;

  constructor(private readonly parts: { now(): number; log: Log }) {}

  async set(key: string, at: number): Promise<void> {
    if (this.#drained) throw new Error('The timer service has been stopped.');
    if (!Number.isFinite(at)) throw new Error(`A timer needs a time in milliseconds, not ${at}.`);
    this.#disarm(key);
    this.#arm(key, at);
  }

  async clear(key: string): Promise<void> {
    this.#disarm(key);
  }

  onDue(handler: (key: string) => void | Promise<void>): void {
    this.#handler = handler;
  }

  async drain(ms: number): Promise<void> {
    this.#drained = true;
    for (const key of [...this.#timers.keys()]) this.#disarm(key);
    await pTimeout(Promise.all(this.#running), { milliseconds: Math.max(1, ms), fallback: () => undefined });
  }

  /** A timer may fire a little early, or be only the first part of a long wait, so it checks the time again. */
  #arm(key: string, at: number): void {
    const delay = Math.min(longestTimer, Math.max(0, Math.ceil(at - this.parts.now())));
    const timer = setTimeout(() => {
      if (this.parts.now() < at) this.#arm(key, at);
      else this.#fire(key);
    }, delay);
    this.#timers.set(key, timer);
  }

  #disarm(key: string): void {
    clearTimeout(this.#timers.get(key));
    this.#timers.delete(key);
  }

  #fire(key: string): void {
    this.#timers.delete(key);
    const handling = this.#handle(key);
    this.#running.add(handling);
    void handling.finally(() => this.#running.delete(handling));
  }

  async #handle(key: string): Promise<void> {
    try {
      await this.#handler(key);
    } catch (error) {
      this.parts.log.error('timer handler failed', { key, error });
    }
  }
}
