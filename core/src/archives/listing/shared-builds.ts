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
  /** What is done with a finished build beside its uses; it is not disposed of before. Must not reject. */
  keep?(built: T, signal: AbortSignal): Promise<void>;
  signal?: AbortSignal | undefined;
}

/**
 * One build of a thing at a time, shared by all who want it meanwhile. It is cancelled when nobody waits any more,
 * and disposed of when the last one has used it.
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

  /** Resolves when all builds that nobody waits for are done with. */
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

  /** Resolves at once while others are left, else when nothing is left of the build. */
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
