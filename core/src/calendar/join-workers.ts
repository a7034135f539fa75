import type { SlotWorker } from './slot-worker.js';

/** A slot worker that receives timers. */
export interface TimedWorker extends SlotWorker {
  /** Ignores timers of other workers. */
  onTimer(key: string): void;
}

/** Combines several workers into one. */
export const joinWorkers = (...runners: readonly TimedWorker[]): TimedWorker => ({
  start() {
    for (const runner of runners) runner.start();
  },
  look: async () => void (await Promise.all(runners.map((runner) => runner.look()))),
  stop: async () => void (await Promise.all(runners.map((runner) => runner.stop()))),
  onTimer(key) {
    for (const runner of runners) runner.onTimer(key);
  },
});
