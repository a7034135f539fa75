import { planRetention } from '@holdfast/contracts/retention';
import { describe, expect, test } from 'vitest';
import { makeGlob } from '../../src/backup/archives/index.js';
import { keptSteps, periodsOf, retentionLeft } from '../../src/migration/moving-in/retention-left.rules.js';
import { rhythmOf } from '../../src/migration/moving-in/rhythm.rules.js';
import { patternOf, prefixOf, seriesOf } from '../../src/migration/moving-in/series.rules.js';

const hour = 3_600_000;
const day = 24 * hour;
const newest = Date.UTC(2026, 2, 12, 2, 0, 30);
const every = (step: number, count: number, from = newest) =>
  Array.from({ length: count }, (_, n) => from - n * step);

describe('the rhythm', () => {
  test.each([
    [every(day, 10), 'UTC', '0 2 * * *', 'about every day at 02:00', 'high'],
    [every(day, 10), 'Europe/Berlin', '0 3 * * *', 'about every day at 03:00', 'high'],
    // Late by up to half an hour.
    [
      every(day, 10).map((at, n) => at + (n % 4) * 10 * 60_000),
      'UTC',
      '10 2 * * *',
      'about every day at 02:10',
      'high',
    ],
    [every(7 * day, 8), 'UTC', '0 2 * * 4', 'about every Thursday at 02:00', 'high'],
    [every(hour, 30), 'UTC', '0 * * * *', 'about every hour', 'high'],
    [every(6 * hour, 30), 'UTC', '0 */6 * * *', 'about every 6 hours', 'high'],
    [every(15 * 60_000, 30), 'UTC', '*/15 * * * *', 'about every 15 minutes', 'high'],
    [
      [1, 2, 3, 4, 5].map((month) => Date.UTC(2026, month, 3, 4)),
      'UTC',
      '0 4 3 * *',
      'about every month on day 3 at 04:00',
      'high',
    ],
  ])('is found: %#', (starts, zone, cron, description, confidence) => {
    expect(rhythmOf(starts, zone)).toMatchObject({ cron, description, confidence });
  });

  test('is found for workdays only', () => {
    const starts = every(day, 20, Date.UTC(2026, 2, 13, 1)).filter(
      (at) => ![0, 6].includes(new Date(at).getUTCDay()),
    );
    expect(rhythmOf(starts, 'UTC')).toMatchObject({ cron: '0 1 * * 1-5' });
  });

  test('is found across a clock change and despite retention', () => {
    const starts = [...every(day, 7), newest - 14 * day, newest - 30 * day, newest - 60 * day];
    expect(rhythmOf(starts, 'UTC')).toMatchObject({ cron: '0 2 * * *', archives: 7 });
    const acrossChange = [26, 27, 28, 29, 30].map((date) => Date.UTC(2026, 2, date, date < 29 ? 1 : 0));
    expect(rhythmOf(acrossChange, 'Europe/Berlin')).toMatchObject({ cron: '0 2 * * *', confidence: 'high' });
  });

  test('is not guessed from few archives, and is marked as weak if uncertain', () => {
    expect(rhythmOf([newest, newest - day], 'UTC')).toBeNull();
    const byHand = [0, 1, 1.3, 5, 6.1, 9, 15.7].map((days) => newest - days * day);
    expect(rhythmOf(byHand, 'UTC')?.confidence ?? 'low').toBe('low');
  });
});

describe('the retention', () => {
  test.each([
    { hourly: 0, daily: 7, weekly: 4, monthly: 6, yearly: 0 },
    { hourly: 0, daily: 14, weekly: 8, monthly: 12, yearly: 1 },
    { hourly: 0, daily: 3, weekly: 0, monthly: 2, yearly: 0 },
    { hourly: 0, daily: 30, weekly: 0, monthly: 24, yearly: 0 },
  ])('is derived for %j from the remaining archives', (counts) => {
    const history = every(day, 900).map((start, n) => ({ id: String(n), start }));
    const left = planRetention(history.toReversed(), counts).kept.map(({ archive }) => archive.start);
    const found = retentionLeft(left, day);
    expect(found?.confidence).toBe('high');
    const again = planRetention(history.toReversed(), found?.counts ?? {}).kept.map(
      ({ archive }) => archive.start,
    );
    const misses = again.filter((start) => !left.includes(start) && start >= Math.min(...left));
    expect(misses).toEqual([]);
    expect(found?.counts).toMatchObject({ daily: counts.daily, weekly: counts.weekly });
  });

  test('is found for hourly archives', () => {
    const history = every(hour, 1_000).map((start, n) => ({ id: String(n), start }));
    const counts = { hourly: 24, daily: 7, weekly: 4, monthly: 0, yearly: 0 };
    const left = planRetention(history.toReversed(), counts).kept.map(({ archive }) => archive.start);
    expect(retentionLeft(left, hour)?.counts).toMatchObject({ hourly: 24, daily: 7 });
  });

  test('is not guessed if no archive seems to have been removed', () => {
    expect(retentionLeft(every(day, 60), day)).toBeNull();
    expect(retentionLeft(every(day, 3), day)).toBeNull();
  });

  test('is simulated like it is applied', () => {
    for (let seed = 1; seed < 60; seed++) {
      const counts = {
        hourly: seed % 3,
        daily: seed % 8,
        weekly: (seed * 7) % 5,
        monthly: (seed * 3) % 7,
        yearly: seed % 2,
      };
      const stepMs = [hour * 5, day, 3 * day][seed % 3] as number;
      const steps = 300;
      const history = Array.from({ length: steps + 1 }, (_, n) => ({
        id: String(n),
        start: newest - n * stepMs,
      }));
      const plan = planRetention(history.toReversed(), counts).kept.map(({ archive }) => Number(archive.id));
      const fast = keptSteps(periodsOf(newest, { steps, stepMs }), counts);
      expect([...fast].toSorted((a, b) => a - b)).toEqual(plan.toSorted((a, b) => a - b));
    }
  });

  test('is found in bounded time', () => {
    const begun = performance.now();
    retentionLeft(
      [...every(hour, 60), ...every(day, 40), ...every(7 * day, 60), ...every(30 * day, 60)],
      hour,
    );
    expect(performance.now() - begun).toBeLessThan(2_000);
  });
});

describe('the series', () => {
  test.each([
    ['nas-2026-03-01T02:00:00', 'nas-'],
    ['nas-home-20260301', 'nas-home-'],
    ['web_1-1772330400', 'web_1-'],
    ['2026-03-01', ''],
    ['before-upgrade', 'before-upgrade'],
    ['day-30', 'day-'],
  ])('finds in %s the prefix %j', (name, prefix) => {
    expect(prefixOf(name)).toBe(prefix);
  });

  test('groups archives by host and prefix, newest first', () => {
    const named = (name: string, hostname: string, start: number) => ({ name, hostname, start });
    const archives = [
      ...[1, 2, 3].map((n) => named(`nas-2026-01-0${n}`, 'nas', n)),
      ...[4, 5].map((n) => named(`nas-2026-01-0${n}`, 'web', n)),
      named('by-hand', 'nas', 9),
    ];
    expect(
      seriesOf(archives).map(({ hostname, prefix, archives: all }) => [hostname, prefix, all.length]),
    ).toEqual([
      ['web', 'nas-', 2],
      ['nas', 'nas-', 3],
    ]);
    expect(seriesOf([named('by-hand', 'nas', 9)])).toHaveLength(1);
    expect(seriesOf([])).toEqual([]);
  });

  test('matches exactly the prefix by its pattern', () => {
    const matches = makeGlob(patternOf('a[b]{c},*?'), { caseSensitive: true });
    expect([matches('a[b]{c},*?x'), matches('abx'), matches('a[b]c,zzx')]).toEqual([true, false, false]);
  });
});
