import type { Log } from '@holdfast/plugin-api';

/** A query that takes longer means that the store hangs. A driver needs less to find that there is no server. */
const answerWithin = 2_250;

/** Observes the queries that are made anyway to know whether the store answers, and logs changes. */
export class StoreWatch {
  #down = false;
  #askedAt: number | null = null;
  #reason: string | null = null;

  constructor(
    private readonly service: string,
    private readonly log: Log,
    private readonly explain: (error: unknown) => string | null = () => null,
  ) {}

  /** One query at a time. Settles as the query does. */
  async ask<T>(query: () => Promise<T>): Promise<T> {
    this.#askedAt = performance.now();
    try {
      const answer = await query();
      this.#answered();
      return answer;
    } catch (error) {
      this.#failed(error);
      throw error;
    } finally {
      this.#askedAt = null;
    }
  }

  /** Null while the store answers, otherwise one sentence. Addresses go only to the log. */
  get problem(): string | null {
    const hangs = this.#askedAt !== null && performance.now() - this.#askedAt > answerWithin;
    if (!this.#down && !hangs) return null;
    if (this.#reason !== null) return this.#reason;
    return `${this.service} ${hangs ? 'does not respond' : "can't be reached"}; timers wait until it is back.`;
  }

  #answered(): void {
    if (this.#down) this.log.info(`${this.service} responds again`);
    this.#down = false;
    this.#reason = null;
  }

  #failed(error: unknown): void {
    this.#reason = this.explain(error);
    if (!this.#down) {
      this.log.warn(this.#reason ?? `${this.service} can't be reached; timers wait until it is back`, {
        error,
      });
    }
    this.#down = true;
  }
}
