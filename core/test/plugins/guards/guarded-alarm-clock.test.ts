import type { AlarmClock } from '@holdfast/plugin-api';
import { expect, test, vi } from 'vitest';
import { guardedAlarmClock } from '../../../src/plugins/guards/guard-port.js';
import { silentLog } from '../../fakes/silent-log.js';
import { never, oddValues } from './odd-values.js';

const sound = (): AlarmClock => ({
  ring: async () => {},
  silence: async () => {},
  onRing: () => {},
  drain: async () => {},
});
const guard = (broken: object) =>
  guardedAlarmClock(
    { ...sound(), ...broken },
    { name: 'odd-clock', log: silentLog() },
    { answer: 20, drainExtra: 10 },
  );

test.each(oddValues)('%s, thrown or rejected with, is a rejection with an error', async (_name, value) => {
  const thrower = () => {
    throw value;
  };
  for (const broken of [thrower, () => Promise.reject(value)]) {
    const clock = guard({ ring: broken, silence: broken, drain: broken, onRing: broken });
    for (const call of [() => clock.ring('a', 0), () => clock.silence('a'), () => clock.drain(0)]) {
      await expect(call()).rejects.toBeInstanceOf(Error);
    }
    clock.onRing(() => {});
  }
});

test('what never answers is bounded', async () => {
  const clock = guard({ ring: never, silence: never, drain: never });
  await expect(clock.ring('a', 0)).rejects.toThrow(/odd-clock did not answer ring/);
  await expect(clock.silence('a')).rejects.toThrow(/silence/);
  await expect(clock.drain(1)).rejects.toThrow(/drain/);
});

test("alarms without a key are passed over, and a handler that fails is the service's own matter", async () => {
  const handler = vi.fn(async (key: string) => {
    if (key === 'bad') throw new Error('on purpose');
  });
  let ring: (key: unknown) => unknown = () => undefined;
  guard({
    onRing: (given: typeof ring) => {
      ring = given;
    },
  }).onRing(handler);
  for (const key of [undefined, null, 7, {}, 'bad', 'good']) await ring(key);
  expect(handler.mock.calls).toEqual([['bad'], ['good']]);
});
