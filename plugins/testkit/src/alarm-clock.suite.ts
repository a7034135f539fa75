import assert from 'node:assert/strict';
import type { AlarmClock } from '@holdfast/plugin-api';
import { type OpenedAlarmClock, RingBook } from './alarm-ring-book.js';
import type { ConformanceCase } from './case.js';

export interface AlarmClockSuiteOptions {
  /** A new clock with no alarms, told of `close` after each case. Cases may run side by side. */
  open(): Promise<OpenedAlarmClock> | OpenedAlarmClock;
  /** The most that a ring may be late, milliseconds. Default 1,000. */
  lateness?: number;
}

type Work = (clock: AlarmClock, rings: RingBook) => Promise<void>;

/** The promises of an AlarmClock. Real time; a case takes up to `lateness` and some hundred milliseconds. */
export function alarmClockSuite({ open, lateness = 1_000 }: AlarmClockSuiteOptions): ConformanceCase[] {
  return cases(lateness).map(([name, work]) => ({
    name,
    run: async () => {
      const { clock, close } = await open();
      try {
        await work(clock, new RingBook(clock, lateness));
      } finally {
        await clock.drain(lateness);
        await close?.();
      }
    },
  }));
}

const soon = (milliseconds: number) => Date.now() + milliseconds;

const cases = (lateness: number): [string, Work][] => [
  ...ringing,
  ...moving,
  ...handlers,
  ...draining(lateness),
];

const ringing: [string, Work][] = [
  [
    'rings at its time, not before',
    async (clock, rings) => {
      const at = soon(700);
      await clock.ring('a', at);
      const ring = await rings.next('a');
      assert.ok(ring.at >= at, `rang ${at - ring.at} ms before its time`);
    },
  ],
  [
    'an instant in the past rings at once, but not inside ring()',
    async (clock, rings) => {
      const armed = clock.ring('past', 0);
      assert.equal(rings.count('past'), 0, 'the handler ran before ring() returned');
      await armed;
      await rings.next('past');
    },
  ],
  [
    'an alarm rings once',
    async (clock, rings) => {
      await clock.ring('once', soon(20));
      await rings.next('once');
      await rings.quiet();
      assert.equal(rings.count('once'), 1);
    },
  ],
  [
    'a key that has rung can be armed again',
    async (clock, rings) => {
      await clock.ring('again', Date.now());
      await rings.next('again');
      await clock.ring('again', Date.now());
      await rings.next('again', 2);
    },
  ],
  [
    'several keys ring, each by itself and in the order of their times',
    async (clock, rings) => {
      const start = soon(0);
      const gap = 300;
      await Promise.all(['c', 'b', 'a'].map((key, index) => clock.ring(key, start + (3 - index) * gap)));
      await Promise.all(['a', 'b', 'c'].map((key) => rings.next(key)));
      assert.deepEqual(
        rings.all.map(({ key }) => key),
        ['a', 'b', 'c'],
      );
    },
  ],
  [
    'a hundred keys at one instant all ring',
    async (clock, rings) => {
      const keys = Array.from({ length: 100 }, (_, index) => `key-${index}`);
      const at = soon(50);
      await Promise.all(keys.map((key) => clock.ring(key, at)));
      await Promise.all(keys.map((key) => rings.next(key)));
    },
  ],
  [
    'keys with any characters come back as they were',
    async (clock, rings) => {
      const keys = ['job:12', 'slot:7/2030-01-01T00:00:00Z', 'späße $.'];
      for (const key of keys) await clock.ring(key, 0);
      for (const key of keys) await rings.next(key);
    },
  ],
  [
    'an alarm months ahead does not ring now',
    async (clock, rings) => {
      for (const days of [25, 60, 400]) await clock.ring(`in-${days}-days`, soon(days * 86_400_000));
      await rings.quiet();
      assert.deepEqual(rings.all, []);
    },
  ],
];

const moving: [string, Work][] = [
  [
    'ringing a key again moves it later',
    async (clock, rings) => {
      await clock.ring('later', soon(400));
      const at = soon(900);
      await clock.ring('later', at);
      const ring = await rings.next('later');
      assert.ok(ring.at >= at, 'it rang at its old time');
      await rings.quiet();
      assert.equal(rings.count('later'), 1, 'it rang for each of its times');
    },
  ],
  [
    'ringing a key again moves it earlier',
    async (clock, rings) => {
      await clock.ring('earlier', soon(3_600_000));
      await clock.ring('earlier', soon(20));
      await rings.next('earlier');
    },
  ],
  [
    'a key that is rung twice for one instant rings once',
    async (clock, rings) => {
      const at = soon(300);
      await Promise.all([clock.ring('twice', at), clock.ring('twice', at)]);
      await rings.next('twice');
      await rings.quiet();
      assert.equal(rings.count('twice'), 1);
    },
  ],
  [
    'a silenced key does not ring, and other keys do',
    async (clock, rings) => {
      await clock.ring('silent', soon(400));
      await clock.ring('loud', soon(450));
      await clock.silence('silent');
      await rings.next('loud');
      await rings.quiet();
      assert.equal(rings.count('silent'), 0);
    },
  ],
  [
    'silencing a key that is not armed is fine, and it can be armed afterwards',
    async (clock, rings) => {
      await clock.silence('unknown');
      await clock.silence('unknown');
      await clock.ring('unknown', 0);
      await rings.next('unknown');
    },
  ],
];

const handlers: [string, Work][] = [
  [
    'a handler that throws does not stop the clock and is not asked again',
    async (clock, rings) => {
      rings.answer('bad', () => {
        throw new Error('on purpose');
      });
      rings.answer('rejects', () => Promise.reject(new Error('on purpose')));
      await clock.ring('bad', 0);
      await clock.ring('rejects', 0);
      await Promise.all([rings.next('bad'), rings.next('rejects')]);
      await clock.ring('good', 0);
      await rings.next('good');
      await rings.quiet();
      assert.equal(rings.count('bad') + rings.count('rejects'), 2, 'a failed handler was asked again');
    },
  ],
  [
    'a slow handler does not hold up other keys',
    async (clock, rings) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      rings.answer('slow', () => held);
      try {
        await clock.ring('slow', 0);
        await rings.next('slow');
        await clock.ring('quick', 0);
        await rings.next('quick');
      } finally {
        release();
      }
    },
  ],
  [
    'a handler may arm its own key again',
    async (clock, rings) => {
      rings.answer('self', () => (rings.count('self') < 3 ? clock.ring('self', 0) : undefined));
      await clock.ring('self', 0);
      await rings.next('self', 3);
    },
  ],
];

const draining = (lateness: number): [string, Work][] => [
  [
    'drain waits for a running handler',
    async (clock, rings) => {
      let ended = false;
      rings.answer('work', async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        ended = true;
      });
      await clock.ring('work', 0);
      await rings.next('work');
      await clock.drain(lateness + 5_000);
      assert.ok(ended, 'drain came back before the handler ended');
    },
  ],
  [
    'drain does not wait longer than it was told',
    async (clock, rings) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      rings.answer('endless', () => held);
      await clock.ring('endless', 0);
      await rings.next('endless');
      try {
        const began = Date.now();
        await clock.drain(100);
        assert.ok(Date.now() - began < 100 + lateness, 'drain waited for a handler that does not end');
      } finally {
        release();
      }
    },
  ],
  [
    'after drain nothing rings',
    async (clock, rings) => {
      await clock.ring('waiting', soon(300));
      await clock.drain(lateness);
      await rings.quiet();
      assert.deepEqual(rings.all, []);
    },
  ],
  [
    'after drain ring() rejects, silence() and a second drain are fine',
    async (clock) => {
      await clock.drain(lateness);
      await assert.rejects(async () => clock.ring('late', 0), 'ring() took an alarm that can never ring');
      await clock.silence('late');
      await clock.drain(lateness);
    },
  ],
];
