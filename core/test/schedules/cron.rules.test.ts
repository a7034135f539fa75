import { describe, expect, it, test } from 'vitest';
import {
  describeCron,
  nextInstants,
  parseCron,
  tidyCron,
} from '../../src/backup/schedules/calendar/cron.rules.js';

const at = (text: string) => Date.parse(text);
const iso = (instant: number) => new Date(instant).toISOString().replace(':00.000Z', 'Z');

const runs = (expression: string, zone: string, { after, count }: { after: string; count: number }) =>
  nextInstants(parseCron(expression, zone), { after: at(after), count }).map(iso);

describe('a cron expression in UTC', () => {
  test.each([
    ['*/20 8-9 * * MON-FRI', ['2026-03-02T08:00Z', '2026-03-02T08:20Z', '2026-03-02T08:40Z']],
    ['0 0 1 JAN,jul *', ['2026-07-01T00:00Z', '2027-01-01T00:00Z', '2027-07-01T00:00Z']],
    ['30 6 * * 7', ['2026-03-01T06:30Z', '2026-03-08T06:30Z', '2026-03-15T06:30Z']],
    ['0 0 13 * FRI', ['2026-03-06T00:00Z', '2026-03-13T00:00Z', '2026-03-20T00:00Z']],
    ['0 0 29 2 *', ['2028-02-29T00:00Z', '2032-02-29T00:00Z', '2036-02-29T00:00Z']],
    ['5  4\t* * *', ['2026-03-01T04:05Z', '2026-03-02T04:05Z', '2026-03-03T04:05Z']],
  ])('%s', (expression, expected) => {
    expect(runs(expression, 'UTC', { after: '2026-03-01T00:00Z', count: 3 })).toEqual(expected);
  });

  it('returns only instants after the given one', () => {
    expect(runs('0 * * * *', 'UTC', { after: '2026-03-01T01:00Z', count: 1 })).toEqual(['2026-03-01T02:00Z']);
    expect(iso(parseCron('0 * * * *').next(at('2026-03-01T01:00Z') - 1))).toBe('2026-03-01T01:00Z');
  });
});

describe('when the clocks go forward', () => {
  it('runs a skipped time right after the gap: Europe/Berlin', () => {
    expect(runs('30 2 * * *', 'Europe/Berlin', { after: '2026-03-28T00:00Z', count: 3 })).toEqual([
      '2026-03-28T01:30Z',
      '2026-03-29T01:00Z',
      '2026-03-30T00:30Z',
    ]);
  });

  it('keeps running every hour: Europe/Berlin', () => {
    expect(runs('0 * * * *', 'Europe/Berlin', { after: '2026-03-28T23:30Z', count: 3 })).toEqual([
      '2026-03-29T00:00Z',
      '2026-03-29T01:00Z',
      '2026-03-29T02:00Z',
    ]);
  });

  it('runs a skipped time right after the gap: America/New_York', () => {
    expect(runs('0 2 * * *', 'America/New_York', { after: '2026-03-08T00:00Z', count: 2 })).toEqual([
      '2026-03-08T07:00Z',
      '2026-03-09T06:00Z',
    ]);
  });

  it('handles a shift of half an hour: Australia/Lord_Howe', () => {
    expect(runs('15 2 * * *', 'Australia/Lord_Howe', { after: '2026-10-02T16:00Z', count: 3 })).toEqual([
      '2026-10-03T15:30Z',
      '2026-10-04T15:15Z',
      '2026-10-05T15:15Z',
    ]);
  });
});

describe('when the clocks go back', () => {
  it('runs a repeated time once, at its first occurrence: Europe/Berlin', () => {
    expect(runs('30 2 * * *', 'Europe/Berlin', { after: '2026-10-24T12:00Z', count: 2 })).toEqual([
      '2026-10-25T00:30Z',
      '2026-10-26T01:30Z',
    ]);
  });

  it('does not repeat the run when asked between the two: Europe/Berlin', () => {
    expect(runs('30 2 * * *', 'Europe/Berlin', { after: '2026-10-25T01:00Z', count: 1 })).toEqual([
      '2026-10-26T01:30Z',
    ]);
  });

  it('runs in both repeated hours: Europe/Berlin', () => {
    expect(runs('0 * * * *', 'Europe/Berlin', { after: '2026-10-24T23:30Z', count: 4 })).toEqual([
      '2026-10-25T00:00Z',
      '2026-10-25T01:00Z',
      '2026-10-25T02:00Z',
      '2026-10-25T03:00Z',
    ]);
  });

  it('runs a repeated time once: America/New_York', () => {
    expect(runs('30 1 * * *', 'America/New_York', { after: '2026-11-01T00:00Z', count: 2 })).toEqual([
      '2026-11-01T05:30Z',
      '2026-11-02T06:30Z',
    ]);
  });

  it('handles a shift of half an hour: Australia/Lord_Howe', () => {
    expect(runs('45 1 * * *', 'Australia/Lord_Howe', { after: '2026-04-04T12:00Z', count: 2 })).toEqual([
      '2026-04-04T14:45Z',
      '2026-04-05T15:15Z',
    ]);
    expect(runs('*/15 * * * *', 'Australia/Lord_Howe', { after: '2026-04-04T14:40Z', count: 4 })).toEqual([
      '2026-04-04T14:45Z',
      '2026-04-04T15:00Z',
      '2026-04-04T15:15Z',
      '2026-04-04T15:30Z',
    ]);
  });
});

/** Over a whole year of each zone: ascending, and every local time that a person reads off is the one asked for. */
test.each([
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Santiago',
  'Africa/Casablanca',
])('runs daily exactly once a day over a year: %s', (zone) => {
  const days = nextInstants(parseCron('30 1 * * *', zone), { after: at('2026-01-01T12:00Z'), count: 365 });
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  const dates = days.map((day) => local.format(day));
  expect(new Set(dates).size).toBe(365);
  expect(days).toEqual(days.toSorted((a, b) => a - b));
});

describe('a bad expression is refused with its reason', () => {
  test.each([
    ['* * * *', /has five fields.*this one has 4/],
    ['* * * * * *', /has five fields.*this one has 6/],
    ['', /has five fields/],
    ['@reboot', /has five fields/],
    ['60 * * * *', /minute: 60/],
    ['* 24 * * *', /hour: 24/],
    ['* * 0 * *', /not valid/],
    ['* * * 13 *', /not valid/],
    ['* * * * 8', /not valid/],
    ['0 0 31 2 *', /never fires/],
    ['0 0 30 feb *', /never fires/],
    ['0 22-2 * * *', /hour .*write 22-23,0-2/],
    ['0 0 * * fri-mon', /day of week .*write fri-SAT,SUN-mon/],
    ['0 0 * NOV-FEB *', /month .*write NOV-DEC,JAN-FEB/],
    ['0 0 * * 5-1', /write 5-6,0-1/],
    ['*/0 * * * *', /not valid/],
    ['? * * * *', /minute field is not valid: \?/],
    ['0 0 15W * *', /day of month field is not valid: 15W/],
    ['1,,2 * * * *', /not valid/],
    ['H * * * *', /not valid/],
    ['0 0 * * R', /not valid/],
    ['x * * * *', /not valid/],
    ['-5 * * * *', /not valid/],
    ['1.5 * * * *', /minute field is not valid: 1\.5/],
  ])('%s', (expression, reason) => {
    expect(() => parseCron(expression)).toThrow(
      expect.objectContaining({ code: 'invalid', detail: expect.stringMatching(reason) }),
    );
  });

  test.each(['Europe/Nowhere', '', 'UTC+1', '../etc/passwd'])('zone %s', (zone) => {
    expect(() => parseCron('0 0 * * *', zone)).toThrow(/Unknown time zone/);
  });
});

test('describes an expression in words', () => {
  expect(describeCron('0 2 * * 1-5')).toBe('At 02:00, Monday through Friday');
  expect(describeCron('*/5 * * * *')).toBe('Every 5 minutes');
  expect(describeCron('0 0 L * *')).toMatch(/last day of the month/);
});

test.each([
  ['30 5 1-7 * 1', 'At 05:30, between day 1 and 7 of the month, or at 05:30, only on Monday'],
  ['*/45 * * * *', 'At 0 and 45 minutes past the hour'],
  ['0 */9 * * *', 'At 00:00, 09:00 and 18:00'],
])('describes %s by when it runs', (expression, words) => {
  expect(describeCron(expression)).toBe(words);
});

test('reads nicknames, and ranges that end on Sunday, as cron does', () => {
  expect(tidyCron(' @daily ')).toBe('0 0 * * *');
  expect(tidyCron(null)).toBe('');
  const after = Date.UTC(2026, 0, 1);
  expect(parseCron('@weekly').next(after)).toBe(parseCron('0 0 * * SUN').next(after));
  expect(parseCron('0 0 * * FRI-SUN').next(after)).toBe(Date.UTC(2026, 0, 2));
});

test('refuses two day fields that cron would combine with a stepped star', () => {
  for (const expression of ['0 4 */2 * 1', '0 4 1 * */2'])
    expect(() => tidyCron(expression)).toThrow(/to \*/);
  expect(tidyCron('0 4 1 * 1')).toBe('0 4 1 * 1');
  expect(tidyCron('0 4 */2 * *')).toBe('0 4 */2 * *');
});
