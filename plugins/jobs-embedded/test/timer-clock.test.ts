import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TimerClock } from '../src/timer-clock.js';
import { quietLog } from './quiet-log.js';

const day = 86_400_000;

describe('TimerClock', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const open = () => {
    const log = quietLog();
    const rings: string[] = [];
    const clock = new TimerClock({ now: Date.now, log });
    clock.onRing((key) => void rings.push(key));
    return { clock, log, rings };
  };

  it('rings an alarm that is further away than one timer reaches, at its time', async () => {
    const { clock, rings } = open();
    await clock.ring('far', Date.now() + 60 * day);
    await vi.advanceTimersByTimeAsync(60 * day - 1);
    expect(rings).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(rings).toEqual(['far']);
  });

  it('waits on when the system clock was put back', async () => {
    const { clock, rings } = open();
    await clock.ring('noon', Date.now() + 1_000);
    vi.setSystemTime(Date.now() - 5_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(rings).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(rings).toEqual(['noon']);
  });

  it('keeps no timer after drain', async () => {
    const { clock } = open();
    await clock.ring('a', Date.now() + day);
    await clock.drain(10);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('logs what a handler throws', async () => {
    const { clock, log } = open();
    clock.onRing(() => Promise.reject(new Error('on purpose')));
    await clock.ring('a', 0);
    await vi.advanceTimersByTimeAsync(1);
    expect(log.errors).toEqual(['the handler of an alarm failed']);
  });

  it('refuses an instant that is none', async () => {
    const { clock } = open();
    await expect(clock.ring('a', Number.NaN)).rejects.toThrow('An alarm needs an instant');
  });
});
