import type { SlotWorker } from './slot-worker.js';

/** A slot engine that timers are passed to. */
export interface TimedWorker extends SlotWorker {
  /** Timers that are none of its own are passed over. */
  onTimer(key: string): void;
}

/** Several runners as one. */
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
