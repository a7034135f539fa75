import { RateLimiterMemory } from 'rate-limiter-flexible';
import { networkOf } from '../network-of.js';

/** Within a minute. */
export const strangerLimits = { ofNetwork: 300, ofAll: 3_000 } as const;
const windowSeconds = 60;

/**
 * How much of what nobody in particular does is noted one by one: the database must not grow as fast as strangers can
 * knock. The rest is counted, and told as one sum a minute.
 */
export class StrangerBudget {
  readonly #ofNetwork = new RateLimiterMemory({ points: strangerLimits.ofNetwork, duration: windowSeconds });
  readonly #ofAll = new RateLimiterMemory({ points: strangerLimits.ofAll, duration: windowSeconds });
  #omitted = 0;
  #networks = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** `tell` gets a sentence about what was left out. */
  constructor(private readonly tell: (note: string) => void) {}

  /** Whether this one is noted. `what` parts the budgets: logins have one of their own. */
  async take(what: string, address: string): Promise<boolean> {
    const network = networkOf(address);
    const taken = await Promise.allSettled([
      this.#ofNetwork.consume(`${what} ${network}`),
      this.#ofAll.consume(what),
    ]);
    if (taken.every(({ status }) => status === 'fulfilled')) return true;
    this.#omitted += 1;
    if (this.#networks.size < 1_000) this.#networks.add(network);
    this.#timer ??= setTimeout(() => this.flush(), windowSeconds * 1000).unref();
    return false;
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#omitted === 0) return;
    const [first = '', ...others] = this.#networks;
    const from = others.length === 0 ? first : `${first} and ${others.length} others`;
    this.tell(
      `${this.#omitted} more requests of nobody in particular, from ${from}, were not noted one by one.`,
    );
    this.#omitted = 0;
    this.#networks = new Set();
  }
}
