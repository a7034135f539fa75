import { describe, expect, it } from 'vitest';
import {
  cronOf,
  isComplete,
  presetOf,
  presets,
  timingOf,
  usualTiming,
} from '../src/screens/schedules/plan.rules.js';
import { gapOf, simulate, simulatedDays } from '../src/screens/schedules/simulation.rules.js';

describe('a simple plan', () => {
  it.each([
    ['0 2 * * *', { every: 'day', time: '02:00' }],
    ['30 14 * * *', { every: 'day', time: '14:30' }],
    ['5 3 * * 1-5', { every: 'days', time: '03:05', days: [1, 2, 3, 4, 5] }],
    ['0 6 * * 0,6', { every: 'days', time: '06:00', days: [0, 6] }],
    ['15 * * * *', { every: 'hour', minute: 15 }],
    ['', { every: 'hand' }],
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

describe('the simulation', () => {
  const now = Date.parse('2026-11-24T02:00:00Z');
  const run = (timing: Partial<typeof usualTiming>, rules = presets.standard, prunes = true) =>
    simulate({ ...usualTiming, ...timing }, { prunes, rules, gap: 24, now });

  it('keeps what the rules say of daily archives', () => {
    const { days, made, kept, oldest } = run({});
    expect([days.length, made, kept]).toEqual([simulatedDays, 400, 7 + 4 + 6 + 1]);
    expect(days.slice(-7).every((day) => day.kept === 1)).toBe(true);
    expect(days.at(-1)?.at).toBe(Date.parse('2026-11-24T00:00:00Z'));
    expect(oldest).toBe(Date.parse('2025-12-31T02:00:00Z'));
  });

  it('has archives on the chosen days only', () => {
    const { days, made } = run({ every: 'days', days: [0] });
    expect(made).toBe(57);
    expect(days.filter((day) => day.made > 0).every(({ at }) => new Date(at).getUTCDay() === 0)).toBe(true);
  });

  it('keeps everything if the schedule removes nothing', () => {
    expect(run({}, presets.light, false)).toMatchObject({ made: 400, kept: 400 });
  });

  it('keeps all that are young enough', () => {
    const rules = { ...presets.light, prune_keep_daily: 0, prune_keep_weekly: 0, prune_keep_monthly: 0 };
    expect(run({}, { ...rules, prune_keep_within: '2w' }).kept).toBe(14);
  });

  it('takes the gap of an expression from its next runs', () => {
    const runs = ['2026-01-01T00:00:00Z', '2026-01-01T06:00:00Z', '2026-01-01T12:00:00Z'];
    expect(gapOf({ ...usualTiming, every: 'custom' }, runs)).toBe(6);
    expect(gapOf({ ...usualTiming, every: 'hand' }, [])).toBeNull();
  });
});
