import { randomUUID } from 'node:crypto';

import { setTimeout as pause } from 'node:timers/promises';
import type { CacheStore } from '@holdfast/plugin-api';
import { repeat } from '../../../foundation/kernel/index.js';
import type { Listing } from './listing.js';

const claimMs = 10_000;
const renewMs = 3_000;
const lookMs = 200;

export interface Claim {
  /** The listing built by another instance; null: the caller must build it. */
  found: Listing | null;
  /** Lets others build it. */
  release(): Promise<void>;
}

/**
 * Limits builds of a listing to one at a time among instances with a shared cache store: a mark next to the
 * listing, which expires when its instance dies. Without a shared store, every instance may build.
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
      // Another instance may have stored the listing and removed its mark just before the claim.
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
    const renew = async () => this.cache.set(mark, this.#instance, claimMs);
    const renewal = repeat(renew, { everyMs: renewMs, later: true, onError: () => {} });
    let held = true;
    return async () => {
      if (!held) return;
      held = false;
      await renewal.stop();
      await this.cache.delete(mark).catch(() => false);
    };
  }
}

interface Build<T> {
  result: Promise<T>;
  users: number;
  controller: AbortController;
}

export interface Buildable {
  dispose(): Promise<void>;
}

export interface BuildUse<T, R> {
  start(signal: AbortSignal): Promise<T>;
  use(built: T): Promise<R>;
  /** Additional work with a finished build, which is disposed of afterwards. Must not reject. */
  keep?(built: T, signal: AbortSignal): Promise<void>;
  signal?: AbortSignal | undefined;
}

/**
 * Shares one running build between all concurrent requests for it. It is cancelled when no request waits any
 * longer, and disposed of after the last use.
 */
export class SharedBuilds<T extends Buildable> {
  readonly #builds = new Map<string, Build<T>>();
  readonly #ends = new Set<Promise<void>>();

  /** Waits for the build of that key, started where none runs, and uses it. Rejects when `signal` is aborted. */
  async use<R>(key: string, request: BuildUse<T, R>): Promise<R> {
    request.signal?.throwIfAborted();
    const build = this.#join(key, request);
    build.users++;
    try {
      return await request.use(await withSignal(build.result, request.signal));
    } finally {
      await this.#leave(key, build);
    }
  }

  /** Resolves when all abandoned builds have ended. */
  async settled(): Promise<void> {
    while (this.#ends.size > 0) await Promise.all(this.#ends);
  }

  #join(key: string, { start, keep }: BuildUse<T, unknown>): Build<T> {
    const running = this.#builds.get(key);
    if (running) return running;
    const controller = new AbortController();
    const { signal } = controller;
    const build: Build<T> = { result: Promise.reject(new Error('not started')), users: 0, controller };
    build.result.catch(() => undefined);
    build.result = start(signal).then((built) => {
      if (keep && !signal.aborted) {
        build.users++;
        this.#remember(keep(built, signal).finally(() => this.#leave(key, build)));
      }
      return built;
    });
    build.result.catch(() => undefined);
    this.#builds.set(key, build);
    return build;
  }

  /** Resolves at once while others wait, otherwise after the build was cleaned up. */
  async #leave(key: string, build: Build<T>): Promise<void> {
    if (--build.users > 0) return;
    if (this.#builds.get(key) === build) this.#builds.delete(key);
    build.controller.abort();
    const built = await build.result.catch(() => null);
    await built?.dispose();
  }

  #remember(end: Promise<void>): void {
    this.#ends.add(end);
    void end.finally(() => this.#ends.delete(end));
  }
}

function withSignal<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise;
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
