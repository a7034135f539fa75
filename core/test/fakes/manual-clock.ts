import type { Clock } from '@holdfast/plugin-api';

export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
  set(instant: number): void;
}

export function manualClock(start = Date.UTC(2030, 0, 1)): ManualClock {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
    set(instant) {
      now = instant;
    },
  };
}
