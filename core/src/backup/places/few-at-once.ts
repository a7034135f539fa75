import { AppError, say } from '../../foundation/kernel/index.js';

/**
 * At most so many at once. Work that outlives its time limit counts until it ends, because a file system that hangs
 * holds threads of this process.
 */
export class FewAtOnce {
  #running = 0;

  constructor(private readonly most: number) {}

  /** Throws AppError `unavailable` when too many are at work. */
  start<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.most) {
      throw new AppError(
        'unavailable',
        say`folders_busy: Holdfast is busy checking other folders, or their file systems do not respond: try again later.`,
        { retryAfterSeconds: 10 },
      );
    }
    this.#running += 1;
    return work().finally(() => {
      this.#running -= 1;
    });
  }
}
