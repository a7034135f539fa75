import { AssertionError } from 'node:assert';
import type { AlarmClock } from '@holdfast/plugin-api';

export interface OpenedAlarmClock {
  clock: AlarmClock;
  /** Ends what `open` made beside the clock. The clock is drained before. */
  close?(): Promise<void> | void;
}

interface Ring {
  key: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Writes down what a clock rings. */
export class RingBook {
  readonly all: Ring[] = [];
  readonly #answers = new Map<string, () => unknown>();
  readonly #waiting = new Set<() => void>();

  constructor(
    clock: AlarmClock,
    private readonly lateness: number,
  ) {
    clock.onRing((key) => {
      this.all.push({ key, at: Date.now() });
      for (const wake of this.#waiting) wake();
      return this.#answers.get(key)?.() as Promise<void>;
    });
  }

  /** What the handler does for a key. */
  answer(key: string, work: () => unknown): void {
    this.#answers.set(key, work);
  }

  count(key: string): number {
    return this.all.filter((ring) => ring.key === key).length;
  }

  /** The n-th ring of a key; an AssertionError when it does not come. */
  async next(key: string, nth = 1): Promise<Ring> {
    // The longest of all cases arms its alarms 900 ms ahead.
    const deadline = Date.now() + this.lateness + 1_000;
    for (;;) {
      const ring = this.all.filter((each) => each.key === key)[nth - 1];
      if (ring) return ring;
      const left = deadline - Date.now();
      if (left <= 0) throw new AssertionError({ message: `${key} did not ring ${nth} time(s)` });
      await this.#change(left);
    }
  }

  /** As long as a ring that should not come might take. */
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
