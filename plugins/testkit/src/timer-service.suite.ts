import assert from 'node:assert/strict';
import type { LedgerJob, LedgerPlan, TimerService } from '@holdfast/plugin-api';
import { type ConformanceCase, conformanceCase, offered } from './case.js';
import { FiredTimers, type OpenedTimerService } from './fired-timers.js';

export interface TimerServiceSuiteOptions {
  /** A new timer service without timers; `close` is called after each case. Cases may run in parallel. */
  open(): Promise<OpenedTimerService> | OpenedTimerService;
  /** How late a timer may be, milliseconds. Default 1,000. */
  lateness?: number;
}

type Work = (timers: TimerService, fired: FiredTimers) => Promise<void>;

/** Conformance cases for a TimerService. Real time: a case takes up to `lateness` and a few hundred milliseconds. */
export function timerServiceSuite({ open, lateness = 1_000 }: TimerServiceSuiteOptions): ConformanceCase[] {
  return cases(lateness).map(([name, work]) =>
    conformanceCase(name, async () => {
      const { timers, close } = await open();
      try {
        await work(timers, new FiredTimers(timers, lateness));
      } finally {
        await timers.drain(lateness);
        await close?.();
      }
    }),
  );
}

const soon = (milliseconds: number) => Date.now() + milliseconds;

const cases = (lateness: number): [string, Work][] => [
  ...firing,
  ...moving,
  ...handlers,
  ...draining(lateness),
  ...ledger,
];

const firing: [string, Work][] = [
  [
    'fires at its time, not before',
    async (timers, fired) => {
      const at = soon(700);
      await timers.set('a', at);
      const firing = await fired.next('a');
      assert.ok(firing.at >= at, `fired ${at - firing.at} ms before its time`);
    },
  ],
  [
    'a time in the past fires at once, but not inside set()',
    async (timers, fired) => {
      const armed = timers.set('past', 0);
      assert.equal(fired.count('past'), 0, 'the handler ran before set() returned');
      await armed;
      await fired.next('past');
    },
  ],
  [
    'a timer fires once',
    async (timers, fired) => {
      await timers.set('once', soon(20));
      await fired.next('once');
      await fired.quiet();
      assert.equal(fired.count('once'), 1);
    },
  ],
  [
    'a key that has fired can be armed again',
    async (timers, fired) => {
      await timers.set('again', Date.now());
      await fired.next('again');
      await timers.set('again', Date.now());
      await fired.next('again', 2);
    },
  ],
  [
    'several keys fire independently and in the order of their times',
    async (timers, fired) => {
      const start = soon(0);
      const gap = 1_000;
      await Promise.all(['c', 'b', 'a'].map((key, index) => timers.set(key, start + (3 - index) * gap)));
      for (const key of ['a', 'b', 'c']) await fired.next(key);
      assert.deepEqual(
        fired.all.map(({ key }) => key),
        ['a', 'b', 'c'],
      );
    },
  ],
  [
    'a hundred keys with the same time all fire',
    async (timers, fired) => {
      const keys = Array.from({ length: 100 }, (_, index) => `key-${index}`);
      const at = soon(50);
      await Promise.all(keys.map((key) => timers.set(key, at)));
      await Promise.all(keys.map((key) => fired.next(key)));
    },
  ],
  [
    'keys with any characters are returned unchanged',
    async (timers, fired) => {
      const keys = ['job:12', 'slot:7/2030-01-01T00:00:00Z', 'späße $.'];
      for (const key of keys) await timers.set(key, 0);
      for (const key of keys) await fired.next(key);
    },
  ],
  [
    'a timer months ahead does not fire now',
    async (timers, fired) => {
      for (const days of [25, 60, 400]) await timers.set(`in-${days}-days`, soon(days * 86_400_000));
      await fired.quiet();
      assert.deepEqual(fired.all, []);
    },
  ],
];

const moving: [string, Work][] = [
  [
    'setting a key again moves it later',
    async (timers, fired) => {
      await timers.set('later', soon(400));
      const at = soon(900);
      await timers.set('later', at);
      const firing = await fired.next('later');
      assert.ok(firing.at >= at, 'it fired at its old time');
      await fired.quiet();
      assert.equal(fired.count('later'), 1, 'it fired for each of its times');
    },
  ],
  [
    'setting a key again moves it earlier',
    async (timers, fired) => {
      await timers.set('earlier', soon(3_600_000));
      await timers.set('earlier', soon(20));
      await fired.next('earlier');
    },
  ],
  [
    'a key that is set twice for the same time fires once',
    async (timers, fired) => {
      const at = soon(300);
      await Promise.all([timers.set('twice', at), timers.set('twice', at)]);
      await fired.next('twice');
      await fired.quiet();
      assert.equal(fired.count('twice'), 1);
    },
  ],
  [
    'a cleared key does not fire, and other keys do',
    async (timers, fired) => {
      await timers.set('silent', soon(400));
      await timers.set('loud', soon(450));
      await timers.clear('silent');
      await fired.next('loud');
      await fired.quiet();
      assert.equal(fired.count('silent'), 0);
    },
  ],
  [
    'clearing a key that is not armed is fine, and it can be armed afterwards',
    async (timers, fired) => {
      await timers.clear('unknown');
      await timers.clear('unknown');
      await timers.set('unknown', 0);
      await fired.next('unknown');
    },
  ],
];

const handlers: [string, Work][] = [
  [
    'a handler that throws does not stop the timers and is not retried',
    async (timers, fired) => {
      fired.answer('bad', () => {
        throw new Error('on purpose');
      });
      fired.answer('rejects', () => Promise.reject(new Error('on purpose')));
      await timers.set('bad', 0);
      await timers.set('rejects', 0);
      await Promise.all([fired.next('bad'), fired.next('rejects')]);
      await timers.set('good', 0);
      await fired.next('good');
      await fired.quiet();
      assert.equal(fired.count('bad') + fired.count('rejects'), 2, 'a failed handler was called again');
    },
  ],
  [
    'a slow handler does not hold up other keys',
    async (timers, fired) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      fired.answer('slow', () => held);
      try {
        await timers.set('slow', 0);
        await fired.next('slow');
        await timers.set('quick', 0);
        await fired.next('quick');
      } finally {
        release();
      }
    },
  ],
  [
    'a handler may arm its own key again',
    async (timers, fired) => {
      fired.answer('self', () => (fired.count('self') < 3 ? timers.set('self', 0) : undefined));
      await timers.set('self', 0);
      await fired.next('self', 3);
    },
  ],
];

const draining = (lateness: number): [string, Work][] => [
  [
    'drain waits for a running handler',
    async (timers, fired) => {
      let ended = false;
      fired.answer('work', async () => {
        await new Promise((resolve) => setTimeout(resolve, 200));
        ended = true;
      });
      await timers.set('work', 0);
      await fired.next('work');
      await timers.drain(lateness + 5_000);
      assert.ok(ended, 'drain resolved before the handler ended');
    },
  ],
  [
    'drain does not wait longer than its limit',
    async (timers, fired) => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      fired.answer('endless', () => held);
      await timers.set('endless', 0);
      await fired.next('endless');
      try {
        const began = Date.now();
        await timers.drain(100);
        assert.ok(Date.now() - began < 100 + lateness, 'drain waited for a handler that does not end');
      } finally {
        release();
      }
    },
  ],
  [
    'after drain nothing fires',
    async (timers, fired) => {
      await timers.set('waiting', soon(300));
      await timers.drain(lateness);
      await fired.quiet();
      assert.deepEqual(fired.all, []);
    },
  ],
  [
    'after drain set() rejects, clear() and a second drain are fine',
    async (timers) => {
      await timers.drain(lateness);
      await assert.rejects(async () => timers.set('late', 0), 'set() accepted a timer that can never fire');
      await timers.clear('late');
      await timers.drain(lateness);
    },
  ],
];

const far = 86_400_000 * 400;
const plan = (at: number): LedgerPlan => ({
  kind: 'check schedule',
  id: 7,
  key: 'check:7',
  name: 'home',
  cron: '0 3 * * *',
  zone: 'Europe/Berlin',
  at,
  lastRun: null,
});
const job = (id: number, change: Partial<LedgerJob> = {}): LedgerJob => ({
  id,
  kind: 'check',
  repository: 'home',
  status: 'pending',
  queuedAt: 1_000,
  startedAt: null,
  endedAt: null,
  progress: null,
  problem: null,
  ...change,
});
const first = (limit: number) => ({ below: Number.POSITIVE_INFINITY, limit });

/** Of a service with a ledger. */
const ledger: [string, Work][] = [
  [
    'a plan in the ledger fires at its time, and stays until it is removed',
    async (timers, fired) => {
      const kept = offered(timers.ledger, 'ledger');
      const due = plan(soon(300));
      await kept.write([plan(soon(far))]);
      await kept.write([due]);
      const { at } = await fired.next(due.key);
      assert.ok(at >= due.at, `it fired ${due.at - at} ms early`);
      assert.deepEqual(await kept.read('check schedule', first(10)), [due]);
      const next = { ...plan(soon(far)), name: 'photos', lastRun: due.at };
      await kept.write([next]);
      await fired.quiet();
      assert.equal(fired.count(due.key), 1);
      assert.deepEqual(await kept.read('check schedule', first(10)), [next]);
      await kept.remove('check schedule', [7, 8]);
      assert.deepEqual(await kept.read('check schedule', first(10)), []);
    },
  ],
  [
    'a job in the ledger never fires, and is shown as it was written last',
    async (timers, fired) => {
      const kept = offered(timers.ledger, 'ledger');
      const running = job(2, { status: 'running', startedAt: 2_000, progress: 40 });
      const failed = job(2 ** 40, {
        status: 'failed',
        startedAt: 2_000,
        endedAt: 3_000,
        problem: 'No room.',
      });
      await kept.write([job(1), job(2), failed]);
      await kept.write([running]);
      assert.deepEqual(await kept.read('job', first(10)), [failed, running, job(1)]);
      assert.deepEqual(await kept.read('job', first(1)), [failed]);
      assert.deepEqual(await kept.read('job', { below: failed.id, limit: 10 }), [running, job(1)]);
      assert.deepEqual(await kept.read('check schedule', first(10)), []);
      await fired.quiet();
      assert.deepEqual(fired.all, []);
      await kept.remove('job', [1, failed.id]);
      assert.deepEqual(await kept.read('job', first(10)), [running]);
    },
  ],
  [
    'both writing and removing nothing change nothing in the ledger',
    async (timers) => {
      const kept = offered(timers.ledger, 'ledger');
      await kept.write([job(1)]);
      await kept.write([]);
      await kept.remove('job', []);
      assert.deepEqual(await kept.read('job', first(10)), [job(1)]);
    },
  ],
];
