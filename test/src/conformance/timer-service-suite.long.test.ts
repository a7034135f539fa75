import type { TimerService } from '@holdfast/plugin-api';
import { timerServiceSuite } from '@holdfast/testkit';
import { describe, expect, it } from 'vitest';
import { DeafTimerService } from '../broken-plugins/timer-deaf.js';
import { DoubledTimerService } from '../broken-plugins/timer-doubled.js';
import { EarlyTimerService } from '../broken-plugins/timer-early.js';
import { FragileTimerService } from '../broken-plugins/timer-fragile.js';
import { HastyDrainTimerService } from '../broken-plugins/timer-hasty-drain.js';
import { OverflowTimerService } from '../broken-plugins/timer-overflow.js';
import { QueueTimerService } from '../broken-plugins/timer-queue.js';
import { SimpleTimerService } from '../broken-plugins/timer-simple.js';

/** Names of the broken promises. */
async function brokenBy(make: () => TimerService): Promise<string[]> {
  const all = timerServiceSuite({ open: () => ({ timers: make() }) });
  // These have no ledger.
  const suite = all.filter(({ name }) => !/ledger/.test(name));
  const results = await Promise.allSettled(suite.map(({ run }) => run()));
  return suite.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
}

describe.concurrent('the suite for timer services', () => {
  it('passes a sound timer service', async () => {
    expect(await brokenBy(() => new SimpleTimerService())).toEqual([]);
  });

  it.each<[string, () => TimerService, string[]]>([
    [
      'fires early',
      () => new EarlyTimerService(),
      ['fires at its time, not before', 'setting a key again moves it later'],
    ],
    [
      'does not cancel timers',
      () => new DeafTimerService(),
      ['a cleared key does not fire, and other keys do'],
    ],
    [
      'adds timers instead of moving them',
      () => new DoubledTimerService(),
      ['setting a key again moves it later', 'a key that is set twice for the same time fires once'],
    ],
    [
      'fires distant timers at once',
      () => new OverflowTimerService(),
      ['a timer months ahead does not fire now'],
    ],
    [
      'stops at a failing handler',
      () => new FragileTimerService(),
      ['a handler that throws does not stop the timers and is not retried'],
    ],
    [
      'runs handlers one after the other',
      () => new QueueTimerService(),
      ['a slow handler does not hold up other keys'],
    ],
    [
      'does not drain',
      () => new HastyDrainTimerService(),
      [
        'drain waits for a running handler',
        'after drain nothing fires',
        'after drain set() rejects, clear() and a second drain are fine',
      ],
    ],
  ])('finds the timer service that %s', async (_, make, broken) => {
    expect(await brokenBy(make)).toEqual(broken);
  });
});
