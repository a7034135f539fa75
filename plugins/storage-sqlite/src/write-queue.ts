import { StoreError } from '@holdfast/core/plugin';

/**
 * Lends the one writer that SQLite allows to one work at a time, in the order of asking. Within a process that
 * is fairer and cheaper than connections that meet at the lock of the file.
 */
export class WriteQueue {
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly patienceMs: number) {}

  /** @throws StoreError `conflict` when the turn did not come in time; `work` is not run then. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    let pass = () => {};
    this.#last = new Promise((resolve) => {
      pass = resolve;
    });
    try {
      await this.#turnAfter(before);
      return await work();
    } finally {
      // Also after one that gave up: the one that it waited for may still run.
      void before.then(pass);
    }
  }

  #turnAfter(before: Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      const busy = 'The database was busy with other changes for too long; try again.';
      const timer = setTimeout(() => reject(new StoreError('conflict', busy)), this.patienceMs);
      void before.then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
