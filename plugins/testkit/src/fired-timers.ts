import { AssertionError } from 'node:assert';
import type { TimerService } from '@holdfast/plugin-api';

export interface OpenedTimerService {
  timers: TimerService;
  /** Closes what `open` created beside the timer service, which is drained before. */
  close?(): Promise<void> | void;
}

interface Fired {
  key: string;
  /** Milliseconds since the epoch. */
  at: number;
}

/** Records what a timer service fires. */
export class FiredTimers {
  readonly all: Fired[] = [];
  readonly #answers = new Map<string, () => unknown>();
  readonly #waiting = new Set<() => void>();

  constructor(
    timers: TimerService,
    private readonly lateness: number,
  ) {
    timers.onDue((key) => {
      this.all.push({ key, at: Date.now() });
      for (const wake of this.#waiting) wake();
      return this.#answers.get(key)?.() as Promise<void>;
    });
  }

  /** Sets what the handler does for a key. */
  answer(key: string, work: () => unknown): void {
    this.#answers.set(key, work);
  }

  count(key: string): number {
    return this.all.filter((firing) => firing.key === key).length;
  }

  /** The n-th firing of a key; an AssertionError if it does not happen. */
  async next(key: string, nth = 1): Promise<Fired> {
    // No case waits for a timer that is further ahead.
    const deadline = Date.now() + this.lateness + 1_000;
    for (;;) {
      const firing = this.all.filter((each) => each.key === key)[nth - 1];
      if (firing) return firing;
      const left = deadline - Date.now();
      if (left <= 0) throw new AssertionError({ message: `${key} did not fire ${nth} time(s)` });
      await this.#change(left);
    }
  }

  /** Waits as long as an unwanted firing might take. */
  async quiet(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.lateness / 2));
  }

  #change(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#waiting.add(wake);
    });
  }
}
