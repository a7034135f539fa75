import type { WatchWorker } from './incident-worker.js';

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
