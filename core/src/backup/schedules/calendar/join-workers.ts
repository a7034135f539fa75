import type { SlotWorker } from './slot-worker.js';

/** A slot worker that receives timers. */
export interface TimedWorker extends SlotWorker {
  /** Ignores timers of other workers. */
  onTimer(key: string): void;
}

/** Combines several workers into one. */
export const joinWorkers = (...workers: readonly TimedWorker[]): TimedWorker => ({
  start() {
    for (const worker of workers) worker.start();
  },
  look: async () => void (await Promise.all(workers.map((worker) => worker.look()))),
  stop: async () => void (await Promise.all(workers.map((worker) => worker.stop()))),
  onTimer(key) {
    for (const worker of workers) worker.onTimer(key);
  },
});
