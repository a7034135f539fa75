import type { SlotWorker } from './slot-worker.js';

/** A slot engine that alarms are passed to. */
export interface TimedWorker extends SlotWorker {
  /** Alarms that are none of its own are passed over. */
  onAlarm(key: string): void;
}

/** Several runners as one. */
export const joinWorkers = (...runners: readonly TimedWorker[]): TimedWorker => ({
  start() {
    for (const runner of runners) runner.start();
  },
  look: async () => void (await Promise.all(runners.map((runner) => runner.look()))),
  stop: async () => void (await Promise.all(runners.map((runner) => runner.stop()))),
  onAlarm(key) {
    for (const runner of runners) runner.onAlarm(key);
  },
});
