import { describe, expect, it } from 'vitest';
import {
  cronOf,
  isComplete,
  presetOf,
  presets,
  timingOf,
  usualTiming,
} from '../src/screens/schedules/plan.rules.js';

describe('a simple plan', () => {
  it.each([
    ['0 2 * * *', { every: 'day', time: '02:00' }],
    ['30 14 * * *', { every: 'day', time: '14:30' }],
    ['5 3 * * 1-5', { every: 'days', time: '03:05', days: [1, 2, 3, 4, 5] }],
    ['0 6 * * 0,6', { every: 'days', time: '06:00', days: [0, 6] }],
    ['15 * * * *', { every: 'hour', minute: 15 }],
    ['', { every: 'manual' }],
  ])('%s is understood, and written as the same times', (cron, expected) => {
    const timing = timingOf(cron);
    expect(timing).toMatchObject(expected);
    expect(timingOf(cronOf(timing))).toEqual({ ...timing, cron: cronOf(timing) });
  });

  it.each([
    '*/5 * * * *',
    '0 2 1 * *',
    '0 2 * * 1-3,5',
    '0 * * * 1',
    '0 25 * * *',
    '60 2 * * *',
    '0 2 * * 5-1',
    'x',
  ])('%s stays as it is', (cron) => {
    expect(timingOf(cron)).toMatchObject({ every: 'custom', cron });
    expect(cronOf(timingOf(cron))).toBe(cron);
  });

  it('takes both numbers of Sunday', () => {
    expect(timingOf('0 2 * * 7').days).toEqual([0]);
    expect(timingOf('0 2 * * 0,7').days).toEqual([0]);
  });

  it('is not complete without a day or an expression', () => {
    expect(isComplete({ ...usualTiming, every: 'days', days: [] })).toBe(false);
    expect(isComplete({ ...usualTiming, every: 'custom', cron: ' ' })).toBe(false);
    expect(isComplete(usualTiming)).toBe(true);
  });
});

describe('a preset', () => {
  it('is recognised by its counts', () => {
    expect(presetOf(true, presets.long)).toBe('long');
    expect(presetOf(true, { ...presets.long, prune_keep_hourly: 1 })).toBeUndefined();
    expect(presetOf(false, presets.long)).toBe('everything');
  });
});
