import { SimpleTimerService } from './timer-simple.js';

/** A handler that fails is the end of all firing. */
export class FragileTimerService extends SimpleTimerService {
  #broken = false;

  protected override call(key: string): void {
    if (this.#broken) return;
    const handling = (async () => this.handler(key))().catch(() => {
      this.#broken = true;
    });
    this.running.add(handling);
    void handling.finally(() => this.running.delete(handling));
  }
}
