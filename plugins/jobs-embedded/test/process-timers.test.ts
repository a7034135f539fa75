import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProcessTimers } from '../src/process-timers.js';
import { quietLog } from './quiet-log.js';

const day = 86_400_000;

describe('ProcessTimers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const open = () => {
    const log = quietLog();
    const fired: string[] = [];
    const timers = new ProcessTimers({ now: Date.now, log });
    timers.onDue((key) => void fired.push(key));
    return { timers, log, fired };
  };

  it('fires a timer that is further away than one timer reaches, at its time', async () => {
    const { timers, fired } = open();
    await timers.set('far', Date.now() + 60 * day);
    await vi.advanceTimersByTimeAsync(60 * day - 1);
    expect(fired).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(fired).toEqual(['far']);
  });

  it('waits on when the system clock was put back', async () => {
    const { timers, fired } = open();
    await timers.set('noon', Date.now() + 1_000);
    vi.setSystemTime(Date.now() - 5_000);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(fired).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(fired).toEqual(['noon']);
  });

  it('keeps no timer after drain', async () => {
    const { timers } = open();
    await timers.set('a', Date.now() + day);
    await timers.drain(10);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('logs errors of a handler', async () => {
    const { timers, log } = open();
    timers.onDue(() => Promise.reject(new Error('on purpose')));
    await timers.set('a', 0);
    await vi.advanceTimersByTimeAsync(1);
    expect(log.errors).toEqual(['timer handler failed']);
  });

  it('rejects an invalid time', async () => {
    const { timers } = open();
    await expect(timers.set('a', Number.NaN)).rejects.toThrow('A timer needs a time in milliseconds');
  });
});
