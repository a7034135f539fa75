import type { AlarmClock } from '@holdfast/plugin-api';
import { alarmClockSuite } from '@holdfast/testkit';
import { describe, expect, it } from 'vitest';
import { DeafAlarmClock } from '../broken-plugins/alarm-deaf.js';
import { DoubledAlarmClock } from '../broken-plugins/alarm-doubled.js';
import { EarlyAlarmClock } from '../broken-plugins/alarm-early.js';
import { FragileAlarmClock } from '../broken-plugins/alarm-fragile.js';
import { HastyDrainAlarmClock } from '../broken-plugins/alarm-hasty-drain.js';
import { OverflowAlarmClock } from '../broken-plugins/alarm-overflow.js';
import { QueueAlarmClock } from '../broken-plugins/alarm-queue.js';
import { SimpleAlarmClock } from '../broken-plugins/alarm-simple.js';

/** Names of the broken promises. */
async function brokenBy(make: () => AlarmClock): Promise<string[]> {
  const suite = alarmClockSuite({ open: () => ({ clock: make() }) });
  const results = await Promise.allSettled(suite.map(({ run }) => run()));
  return suite.filter((_, index) => results[index]?.status === 'rejected').map(({ name }) => name);
}

describe.concurrent('the suite for alarm clocks', () => {
  it('passes a sound clock', async () => {
    expect(await brokenBy(() => new SimpleAlarmClock())).toEqual([]);
  });

  it.each<[string, () => AlarmClock, string[]]>([
    [
      'rings early',
      () => new EarlyAlarmClock(),
      ['rings at its time, not before', 'ringing a key again moves it later'],
    ],
    [
      'does not take alarms back',
      () => new DeafAlarmClock(),
      ['a silenced key does not ring, and other keys do'],
    ],
    [
      'adds alarms instead of moving them',
      () => new DoubledAlarmClock(),
      ['ringing a key again moves it later', 'a key that is rung twice for one instant rings once'],
    ],
    [
      'rings at once what is far away',
      () => new OverflowAlarmClock(),
      ['an alarm months ahead does not ring now'],
    ],
    [
      'stops at a failing handler',
      () => new FragileAlarmClock(),
      ['a handler that throws does not stop the clock and is not asked again'],
    ],
    [
      'asks one handler after the other',
      () => new QueueAlarmClock(),
      ['a slow handler does not hold up other keys'],
    ],
    [
      'does not drain',
      () => new HastyDrainAlarmClock(),
      [
        'drain waits for a running handler',
        'after drain nothing rings',
        'after drain ring() rejects, silence() and a second drain are fine',
      ],
    ],
  ])('finds the clock that %s', async (_, make, broken) => {
    expect(await brokenBy(make)).toEqual(broken);
  });
});
