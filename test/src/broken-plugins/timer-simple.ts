import type { TimerService } from '@holdfast/plugin-api';

/** A sound timer service in few words; its broken relatives change one thing each. */
export class SimpleTimerService implements TimerService {
  protected readonly timers = new Map<string, NodeJS.Timeout>();
  protected readonly running = new Set<Promise<unknown>>();
  protected handler: (key: string) => void | Promise<void> = () => undefined;
  protected drained = false;

  async set(key: string, at: number): Promise<void> {
    if (this.drained) throw new Error('drained');
    clearTimeout(this.timers.get(key));
    this.arm(key, at);
  }

  async clear(key: string): Promise<void> {
    clearTimeout(this.timers.get(key));
    this.timers.delete(key);
  }

  onDue(handler: (key: string) => void | Promise<void>): void {
    this.handler = handler;
  }

  async drain(ms: number): Promise<void> {
    this.drained = true;
    for (const timer of this.timers.values()) clearTimeout(timer);
    await Promise.race([Promise.all(this.running), new Promise((resolve) => setTimeout(resolve, ms))]);
  }

  protected arm(key: string, at: number): void {
    const delay = Math.min(this.delayUntil(at), this.longestDelay);
    const next = () => (Date.now() < this.earliest(at) ? this.arm(key, at) : this.call(key));
    this.timers.set(key, setTimeout(next, delay));
  }

  protected longestDelay = 2 ** 31 - 1;

  protected delayUntil(at: number): number {
    return Math.max(0, at - Date.now());
  }

  protected earliest(at: number): number {
    return at;
  }

  protected call(key: string): void {
    const handling = (async () => this.handler(key))().catch(() => undefined);
    this.running.add(handling);
    void handling.finally(() => this.running.delete(handling));
  }
}
