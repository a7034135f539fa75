import { alarmClockSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import { TimerClock } from '../src/timer-clock.js';
import { quietLog } from './quiet-log.js';

describe('jobs-embedded keeps the promises of an alarm clock', () => {
  const suite = alarmClockSuite({
    open: () => ({ clock: new TimerClock({ now: Date.now, log: quietLog() }) }),
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
