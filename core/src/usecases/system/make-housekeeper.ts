import type { Dependencies } from '../dependencies.js';
import { sweepEvents } from '../events/sweep-events.js';
import { sweepKeys } from '../idempotency/sweep-keys.js';

const sweepEveryMs = 10 * 60_000;

export interface Housekeeper {
  start(): void;
  stop(): void;
}

/** Removes what nobody needs any more, beside any number of other instances. */
export function makeHousekeeper(needs: Pick<Dependencies, 'storage' | 'clock' | 'log'>): Housekeeper {
  const sweeps = { 'old events': sweepEvents(needs), 'old answers': sweepKeys(needs) };
  let timer: NodeJS.Timeout | undefined;
  const sweep = async () => {
    for (const [what, work] of Object.entries(sweeps)) {
      await work().catch((error: unknown) => needs.log.warn(`${what} could not be removed`, { error }));
    }
  };
  return {
    start() {
      void sweep();
      timer = setInterval(() => void sweep(), sweepEveryMs);
    },
    stop: () => clearInterval(timer),
  };
}
