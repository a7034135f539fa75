import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CacheStore } from '../../ports/cache.js';
import type { Listing } from './listing.js';

const claimMs = 10_000;
const renewMs = 3_000;
const lookMs = 200;

export interface Claim {
  /** What another instance built; null: it is for the caller to build it. */
  found: Listing | null;
  /** Lets others build it. */
  release(): Promise<void>;
}

/**
 * One build of a listing at a time among the instances that share a cache store: a mark beside the listing, which
 * ends by itself when its instance does. Without a shared store everybody may build.
 */
export class BuildClaims {
  readonly #instance = randomUUID();

  constructor(private readonly cache: CacheStore) {}

  /** Waits while another instance builds. Rejects when `signal` is aborted. */
  async claim(
    key: string,
    { find, signal }: { find(): Promise<Listing | null>; signal: AbortSignal },
  ): Promise<Claim> {
    const mark = `${key}/build`;
    const set = async () => (await this.cache.setIfAbsent?.(mark, this.#instance, claimMs)) ?? null;
    let isOurs = await set();
    while (isOurs === false) {
      const found = await find();
      if (found) return { found, release: async () => undefined };
      await pause(lookMs, undefined, { signal });
      isOurs = await set();
    }
    signal.throwIfAborted();
    if (isOurs === null) return { found: null, release: async () => undefined };
    const release = this.#hold(mark);
    try {
      // What was not there before the claim may have been stored since, and the mark of that build be gone.
      const found = await find();
      signal.throwIfAborted();
      if (!found) return { found, release };
      await release();
      return { found, release };
    } catch (error) {
      await release();
      throw error;
    }
  }

  #hold(mark: string): () => Promise<void> {
    const renewal = setInterval(() => {
      Promise.resolve(this.cache.set(mark, this.#instance, claimMs)).catch(() => undefined);
    }, renewMs);
    renewal.unref();
    let held = true;
    return async () => {
      if (!held) return;
      held = false;
      clearInterval(renewal);
      await this.cache.delete(mark).catch(() => false);
    };
  }
}
