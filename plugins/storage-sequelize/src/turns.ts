import { StoreError } from '@holdfast/plugin-api';

export interface Patience {
  /** A work whose turn did not come by then is refused as a `conflict`. Default: it waits. */
  refusedAfterMs?: number;
  /** A work that takes longer is not waited for any more. Default: each is waited for. */
  passedAfterMs?: number;
}

/** Lets the changes of this process go one after the other, in the order of asking: it is fairer and cheaper than locks. */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly patience: Patience) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    const { refusedAfterMs, passedAfterMs } = this.patience;
    const before = this.#last;
    let pass = () => {};
    this.#last = new Promise((resolve) => {
      pass = resolve;
    });
    let timer: NodeJS.Timeout | undefined;
    try {
      await new Promise<void>((resolve, reject) => {
        const busy = 'The database was busy with other changes for too long; try again.';
        if (refusedAfterMs)
          timer = setTimeout(() => reject(new StoreError('conflict', busy)), refusedAfterMs);
        void before.then(resolve);
      });
      clearTimeout(timer);
      if (passedAfterMs) timer = setTimeout(pass, passedAfterMs);
      return await work();
    } finally {
      clearTimeout(timer);
      // The one before still runs when this one was refused.
      void before.then(pass);
    }
  }
}
