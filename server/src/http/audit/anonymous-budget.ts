import { RateLimiterMemory } from 'rate-limiter-flexible';
import { networkOf } from '../sign-in/network-of.js';

/** Entries per minute. */
export const anonymousLimits = { ofNetwork: 300, ofAll: 3_000 } as const;
const windowSeconds = 60;

/**
 * Limits how many anonymous requests are recorded one by one, so that they can't flood the database. The rest
 * is counted and reported once a minute.
 */
export class AnonymousBudget {
  readonly #ofNetwork = new RateLimiterMemory({ points: anonymousLimits.ofNetwork, duration: windowSeconds });
  readonly #ofAll = new RateLimiterMemory({ points: anonymousLimits.ofAll, duration: windowSeconds });
  #omitted = 0;
  #networks = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** `report` receives a sentence about the omitted requests. */
  constructor(private readonly report: (note: string) => void) {}

  /** Whether to record this request. Each `what` has its own budget, for example logins. */
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
    this.report(`${this.#omitted} more anonymous requests from ${from} were not recorded individually.`);
    this.#omitted = 0;
    this.#networks = new Set();
  }
}
