import type { TimedWorker } from '../calendar/index.js';
import { makeSlotWorker, type SlotTimings, timerHorizon } from '../calendar/index.js';
import { isDrillTimer, setDrillTimer } from './drill-schedules.js';
import { type FireDrillNeeds, fireDrill } from './fire-drill.js';
import { drillSchedules } from './tables.js';

/** Runs drills that are due. Safe with any number of instances on the same storage. */
export function makeDrillWorker(needs: FireDrillNeeds, timings: Partial<SlotTimings> = {}): TimedWorker {
  const { storage, clock, log } = needs;
  const engine = makeSlotWorker({
    ...{ clock, log, timings },
    find: (query) => storage.find(drillSchedules, query),
    fire: fireDrill(needs),
    arm: (schedule) => setDrillTimer(needs, schedule),
    horizon: timerHorizon,
    tend: async () => undefined,
  });
  return {
    ...engine,
    onTimer(key) {
      if (isDrillTimer(key)) void engine.look();
    },
  };
}
