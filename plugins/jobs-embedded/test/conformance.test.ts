import { timerServiceSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import { ProcessTimers } from '../src/process-timers.js';
import { quietLog } from './quiet-log.js';

describe('jobs-embedded keeps the promises of a timer service', () => {
  const suite = timerServiceSuite({
    open: () => ({ timers: new ProcessTimers({ now: Date.now, log: quietLog() }) }),
  });
  for (const { name, run } of suite) it.concurrent(name, run);
});
