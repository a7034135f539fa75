interface Build<T> {
  result: Promise<T>;
  users: number;
  controller: AbortController;
}

export interface Buildable {
  dispose(): Promise<void>;
}

/**
 * One build of a thing at a time, shared by all who want it meanwhile. It is cancelled when nobody waits any more,
 * and disposed of when the last one has used it.
 */
export class SharedBuilds<T extends Buildable> {
  readonly #builds = new Map<string, Build<T>>();

  /** Waits for the build of that key, started where none runs, and uses it. Rejects when `signal` is aborted. */
  async use<R>(
    key: string,
    request: { start(signal: AbortSignal): Promise<T>; use(built: T): Promise<R>; signal?: AbortSignal },
  ): Promise<R> {
    request.signal?.throwIfAborted();
    const build = this.#join(key, request.start);
    build.users++;
    try {
      return await request.use(await withSignal(build.result, request.signal));
    } finally {
      if (--build.users === 0) await this.#end(key, build);
    }
  }

  #join(key: string, start: (signal: AbortSignal) => Promise<T>): Build<T> {
    const running = this.#builds.get(key);
    if (running) return running;
    const controller = new AbortController();
    const build = { result: start(controller.signal), users: 0, controller };
    this.#builds.set(key, build);
    return build;
  }

  async #end(key: string, build: Build<T>): Promise<void> {
    if (this.#builds.get(key) === build) this.#builds.delete(key);
    build.controller.abort();
    const built = await build.result.catch(() => null);
    await built?.dispose();
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
