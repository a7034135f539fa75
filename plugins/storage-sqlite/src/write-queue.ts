import { StoreError } from '@holdfast/plugin-api';

interface Waiting {
  begin(): void;
  timer: NodeJS.Timeout;
}

/**
 * Lends the one writer that SQLite allows to one work at a time, in the order of asking. Within a process that
 * is fairer and cheaper than connections that meet at the lock of the file.
 */
export class WriteQueue {
  private busy = false;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly patienceMs: number) {}

  /** @throws StoreError `conflict` when the turn did not come in time; `work` is not run then. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.turn();
    try {
      return await work();
    } finally {
      this.pass();
    }
  }

  private turn(): Promise<void> {
    if (!this.busy) {
      this.busy = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(
          new StoreError('conflict', 'The database was busy with other changes for too long; try again.'),
        );
      }, this.patienceMs);
      const waiting = { begin: resolve, timer };
      this.waiting.push(waiting);
    });
  }

  private pass(): void {
    const next = this.waiting.shift();
    if (!next) {
      this.busy = false;
      return;
    }
    clearTimeout(next.timer);
    next.begin();
  }
}
