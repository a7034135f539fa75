import { SimpleTimerService } from './timer-simple.js';

/** Waits for each handler before the next one. */
export class QueueTimerService extends SimpleTimerService {
  #tail: Promise<unknown> = Promise.resolve();

  protected override call(key: string): void {
    const handling = this.#tail.then(() => this.handler(key)).catch(() => undefined);
    this.#tail = handling;
    this.running.add(handling);
    void handling.finally(() => this.running.delete(handling));
  }
}
