import type { AlarmClock } from '@holdfast/plugin-api';

export interface LostAlarms extends AlarmClock {
  rung: string[];
  drained: boolean;
}

/** An alarm clock that loses every alarm, which must do no harm. */
export function lostAlarms(): LostAlarms {
  const alarms: LostAlarms = {
    rung: [],
    drained: false,
    ring: async (key) => void alarms.rung.push(key),
    silence: async () => undefined,
    onRing: () => undefined,
    drain: async () => {
      alarms.drained = true;
    },
  };
  return alarms;
}
