import { timerServiceSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import { ProcessTimers } from '../src/process-timers.js';
import { quietLog } from './quiet-log.js';

describe('jobs-embedded passes the suite for timer services', () => {
  const suite = timerServiceSuite({
    open: () => ({ timers: new ProcessTimers({ now: Date.now, log: quietLog() }) }),
  });
  // It stores nothing, so it has no ledger.
  for (const { name, run } of suite) if (!/ledger/.test(name)) it.concurrent(name, run);
});
