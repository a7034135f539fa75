import type { TimerService } from '@holdfast/plugin-api';
import { expect, test, vi } from 'vitest';
import { guardedTimers } from '../../../src/engine/plugins/guard-port.js';
import { silentLog } from '../../fakes/silent-log.js';
import { never, oddValues } from './odd-values.js';

const sound = (): TimerService => ({
  set: async () => {},
  clear: async () => {},
  onDue: () => {},
  drain: async () => {},
});
const guard = (broken: object) =>
  guardedTimers(
    { ...sound(), ...broken },
    { name: 'odd-timers', log: silentLog() },
    { call: 20, transaction: 20, timer: 20 },
  );

test.each(oddValues)('rejects with an error for %s, thrown or rejected with', async (_name, value) => {
  const thrower = () => {
    throw value;
  };
  for (const broken of [thrower, () => Promise.reject(value)]) {
    const timers = guard({ set: broken, clear: broken, drain: broken });
    for (const call of [() => timers.set('a', 0), () => timers.clear('a'), () => timers.drain(0)]) {
      await expect(call()).rejects.toBeInstanceOf(Error);
    }
  }
});

test('limits the time of each call', async () => {
  const timers = guard({ set: never, clear: never, drain: never });
  await expect(timers.set('a', 0)).rejects.toThrow(/odd-timers did not answer set/);
  await expect(timers.clear('a')).rejects.toThrow(/clear/);
  await expect(timers.drain(1)).rejects.toThrow(/drain/);
});

test('contains a failing handler', async () => {
  const handler = vi.fn(async (key: string) => {
    if (key === 'bad') throw new Error('on purpose');
  });
  let fire: (key: string) => unknown = () => undefined;
  guard({
    onDue: (given: typeof fire) => {
      fire = given;
    },
  }).onDue(handler);
  for (const key of ['bad', 'good']) await fire(key);
  expect(handler.mock.calls).toEqual([['bad'], ['good']]);
});
