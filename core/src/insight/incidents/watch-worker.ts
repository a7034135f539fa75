import type { Log } from '@holdfast/plugin-api';
import { type Repeated, repeat } from '../../foundation/kernel/index.js';

/** Background work of this room. */
export interface WatchWorker {
  start(): void;
  /** Does what is due now. Never rejects. */
  look(): Promise<void>;
  /** Starts nothing more and waits for running work. */
  stop(): Promise<void>;
}

interface Watch {
  everyMs: number;
  log: Pick<Log, 'warn'>;
  /** Logged at the first of several failures. */
  failure: string;
  /** Runs at each start. */
  begin?(): void;
}

export function watchWorker(
  look: () => Promise<unknown>,
  { everyMs, log, failure, begin = () => {} }: Watch,
): WatchWorker {
  let looking: Repeated | undefined;
  return {
    look: async () => looking?.now(),
    start() {
      begin();
      looking = repeat(look, {
        everyMs,
        later: true,
        onError: (error, again) => {
          if (!again) log.warn(failure, { error });
        },
      });
    },
    stop: async () => looking?.stop(),
  };
}

/** Several workers as one. */
export const joinWatches = (workers: readonly WatchWorker[]): WatchWorker => ({
  start() {
    for (const worker of workers) worker.start();
  },
  async look() {
    await Promise.all(workers.map((worker) => worker.look()));
  },
  async stop() {
    await Promise.all(workers.map((worker) => worker.stop()));
  },
});
