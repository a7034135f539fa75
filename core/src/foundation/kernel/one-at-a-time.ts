/** Runs work one after the other, in the order of the calls, also after one that failed. */
export function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
}

/**
 * Runs the work of each key one at a time. Any number of calls during a run lead to one more run after it.
 */
export class OneAtATime<K> {
  readonly #running = new Map<K, { again: boolean; done: Promise<void> }>();

  run(key: K, work: () => Promise<void>): Promise<void> {
    const current = this.#running.get(key);
    if (current) {
      current.again = true;
      return current.done;
    }
    const turn = { again: true, done: Promise.resolve() };
    this.#running.set(key, turn);
    turn.done = this.#repeat(key, turn, work);
    return turn.done;
  }

  /** Resolves when nothing runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.allSettled([...this.#running.values()].map(({ done }) => done));
    }
  }

  async #repeat(key: K, turn: { again: boolean }, work: () => Promise<void>): Promise<void> {
    try {
      while (turn.again) {
        turn.again = false;
        await work();
      }
    } finally {
      // In the same turn as the last check of `again`, so that a later call starts a new run.
      this.#running.delete(key);
    }
  }
}
