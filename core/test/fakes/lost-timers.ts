import type { TimerService } from '@holdfast/plugin-api';

export interface LostTimers extends TimerService {
  keys: string[];
  drained: boolean;
}

/** A timer service that loses every timer, which must do no harm. */
export function lostTimers(): LostTimers {
  const timers: LostTimers = {
    keys: [],
    drained: false,
    set: async (key) => void timers.keys.push(key),
    clear: async () => undefined,
    onDue: () => undefined,
    drain: async () => {
      timers.drained = true;
    },
  };
  return timers;
}
