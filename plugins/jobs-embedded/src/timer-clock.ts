import type { AlarmClock, Log } from '@holdfast/plugin-api';

/** A longer timer would ring at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * Alarms as timers of this process. Nothing is kept: after a restart the one who looks after the rows rings again
 * for those that are due.
 */
export class TimerClock implements AlarmClock {
  readonly #alarms = new Map<string, NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #handler: (key: string) => void | Promise<void> = () => undefined;
  #drained = false;

  constructor(private readonly parts: { now(): number; log: Log }) {}

  async ring(key: string, at: number): Promise<void> {
    if (this.#drained) throw new Error('The alarm clock has been stopped.');
    if (!Number.isFinite(at)) throw new Error(`An alarm needs an instant, not ${at}.`);
    this.#disarm(key);
    this.#arm(key, at);
  }

  async silence(key: string): Promise<void> {
    this.#disarm(key);
  }

  onRing(handler: (key: string) => void | Promise<void>): void {
    this.#handler = handler;
  }

  async drain(ms: number): Promise<void> {
    this.#drained = true;
    for (const key of [...this.#alarms.keys()]) this.#disarm(key);
    let timer: NodeJS.Timeout | undefined;
    const bound = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([Promise.all(this.#running), bound]);
    clearTimeout(timer);
  }

  /** A timer may end a little early, or be the first part of a long wait: it looks at the time again. */
  #arm(key: string, at: number): void {
    const delay = Math.min(longestTimer, Math.max(0, Math.ceil(at - this.parts.now())));
    const timer = setTimeout(() => {
      if (this.parts.now() < at) this.#arm(key, at);
      else this.#ringNow(key);
    }, delay);
    this.#alarms.set(key, timer);
  }

  #disarm(key: string): void {
    clearTimeout(this.#alarms.get(key));
    this.#alarms.delete(key);
  }

  #ringNow(key: string): void {
    this.#alarms.delete(key);
    const handling = this.#handle(key);
    this.#running.add(handling);
    void handling.finally(() => this.#running.delete(handling));
  }

  async #handle(key: string): Promise<void> {
    try {
      await this.#handler(key);
    } catch (error) {
      this.parts.log.error('the handler of an alarm failed', { key, error });
    }
  }
}
