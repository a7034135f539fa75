import type { Log } from '@holdfast/plugin-api';

/** A question that is older says that the store hangs. */
const answerWithin = 1_500;

/** Knows whether the store answers, from the questions that are put to it anyway; tells the log when that changes. */
export class StoreWatch {
  #down = false;
  #askedAt: number | null = null;

  constructor(
    private readonly service: string,
    private readonly log: Log,
  ) {}

  /** One question at a time. Comes out as the question does. */
  async ask<T>(question: () => Promise<T>): Promise<T> {
    this.#askedAt = performance.now();
    try {
      const answer = await question();
      this.#up();
      return answer;
    } catch (error) {
      this.#fell(error);
      throw error;
    } finally {
      this.#askedAt = null;
    }
  }

  /** Null while the store answers, else one sentence, without the addresses that the log tells. */
  get problem(): string | null {
    const hangs = this.#askedAt !== null && performance.now() - this.#askedAt > answerWithin;
    if (!this.#down && !hangs) return null;
    return `${this.service} ${hangs ? 'does not answer' : "can't be reached"}; timers wait until it is back.`;
  }

  #up(): void {
    if (this.#down) this.log.info(`${this.service} answers again`);
    this.#down = false;
  }

  #fell(error: unknown): void {
    if (!this.#down) {
      this.log.warn(`${this.service} can't be reached; timers wait until it is back`, { error });
    }
    this.#down = true;
  }
}
