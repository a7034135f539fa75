import type { TimerService, WorkLedger } from '@holdfast/plugin-api';

export interface LostTimers extends TimerService {
  keys: string[];
  drained: boolean;
}

/** A timer service that loses every timer, which must do no harm. */
export function lostTimers(ledger?: WorkLedger): LostTimers {
  const timers: LostTimers = {
    keys: [],
    drained: false,
    ledger,
    set: async (key) => void timers.keys.push(key),
    clear: async () => undefined,
    onDue: () => undefined,
    drain: async () => {
      timers.drained = true;
    },
  };
  return timers;
}
