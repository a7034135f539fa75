import { setImmediate as nextTurn } from 'node:timers/promises';

const turnMs = 20;
const mostMs = 30_000;

/** How long one search has computed, over all archives that it looks through. Waiting for a listing does not count. */
export class SearchTime {
  #spent = 0;
  #since = Number.POSITIVE_INFINITY;

  constructor(private readonly most = mostMs) {}

  get isOver(): boolean {
    return this.#spent + this.#running >= this.most;
  }

  get isTurnOver(): boolean {
    return this.#running >= turnMs;
  }

  /** Goes on counting after a wait. */
  begin(): void {
    this.#since = performance.now();
  }

  /** Lets others in. */
  async rest(): Promise<void> {
    this.#spent += this.#running;
    await nextTurn();
    this.begin();
  }

  /** Stops counting before a wait. */
  end(): void {
    this.#spent += this.#running;
    this.#since = Number.POSITIVE_INFINITY;
  }

  get #running(): number {
    return Math.max(0, performance.now() - this.#since);
  }
}
