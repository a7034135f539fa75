import type { TimedWorker } from '../calendar/index.js';
import { makeSlotWorker, type SlotTimings, timerHorizon } from '../calendar/index.js';
import { isCheckTimer, setCheckTimer } from './check-schedules.js';
import { type FireCheckNeeds, fireCheck } from './fire-check.js';
import { checkSchedules } from './tables.js';

/** Runs checks that are due. Safe with any number of instances on the same storage. */
export function makeCheckWorker(needs: FireCheckNeeds, timings: Partial<SlotTimings> = {}): TimedWorker {
  const { storage, clock, log } = needs;
  const engine = makeSlotWorker({
    ...{ clock, log, timings },
    find: (query) => storage.find(checkSchedules, query),
    fire: fireCheck(needs),
    arm: (schedule) => setCheckTimer(needs, schedule),
    horizon: timerHorizon,
    tend: async () => undefined,
  });
  return {
    ...engine,
    onTimer(key) {
      if (isCheckTimer(key)) void engine.look();
    },
  };
}
