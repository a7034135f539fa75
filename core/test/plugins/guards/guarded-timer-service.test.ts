import type { TimerService } from '@holdfast/plugin-api';
import { expect, test, vi } from 'vitest';
import { guardedTimerService } from '../../../src/plugins/guards/guard-port.js';
import { silentLog } from '../../fakes/silent-log.js';
import { never, oddValues } from './odd-values.js';

const sound = (): TimerService => ({
  set: async () => {},
  clear: async () => {},
  onDue: () => {},
  drain: async () => {},
});
const guard = (broken: object) =>
  guardedTimerService(
    { ...sound(), ...broken },
    { name: 'odd-timers', log: silentLog() },
    { answer: 20, drainExtra: 10 },
  );

test.each(oddValues)('%s, thrown or rejected with, is a rejection with an error', async (_name, value) => {
  const thrower = () => {
    throw value;
  };
  for (const broken of [thrower, () => Promise.reject(value)]) {
    const timers = guard({ set: broken, clear: broken, drain: broken, onDue: broken });
    for (const call of [() => timers.set('a', 0), () => timers.clear('a'), () => timers.drain(0)]) {
      await expect(call()).rejects.toBeInstanceOf(Error);
    }
    timers.onDue(() => {});
  }
});

test('what never answers is bounded', async () => {
  const timers = guard({ set: never, clear: never, drain: never });
  await expect(timers.set('a', 0)).rejects.toThrow(/odd-timers did not answer set/);
  await expect(timers.clear('a')).rejects.toThrow(/clear/);
  await expect(timers.drain(1)).rejects.toThrow(/drain/);
});

test("timers without a key are passed over, and a handler that fails is the service's own matter", async () => {
  const handler = vi.fn(async (key: string) => {
    if (key === 'bad') throw new Error('on purpose');
  });
  let fire: (key: unknown) => unknown = () => undefined;
  guard({
    onDue: (given: typeof fire) => {
      fire = given;
    },
  }).onDue(handler);
  for (const key of [undefined, null, 7, {}, 'bad', 'good']) await fire(key);
  expect(handler.mock.calls).toEqual([['bad'], ['good']]);
});
