import { IANAZone } from 'luxon';
import { describe, expect, it } from 'vitest';
import { type DayFact, daysUntil, judgeDays, stripOf } from '../../src/insight/history/day.rules.js';

const hour = 3_600_000;
const at = (text: string) => Date.parse(text);
const berlin = IANAZone.create('Europe/Berlin');

describe('days in a time zone', () => {
  it('begin at local midnight and have 23 or 25 hours at clock changes', () => {
    const spring = daysUntil(at('2026-03-30T10:00:00Z'), 3, berlin);
    expect(spring.map(({ date, from, to }) => [date, (to - from) / hour])).toEqual([
      ['2026-03-28', 24],
      ['2026-03-29', 23],
      ['2026-03-30', 24],
    ]);
    expect(spring[1]?.from).toBe(at('2026-03-28T23:00:00Z'));
    const autumn = daysUntil(at('2026-10-25T22:59:59Z'), 1, berlin);
    expect(autumn.map(({ date, from, to }) => [date, (to - from) / hour])).toEqual([['2026-10-25', 25]]);
  });

  it('end with the current day of each zone', () => {
    const now = at('2026-03-01T23:30:00Z');
    expect(daysUntil(now, 2, berlin).map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-02']);
    expect(daysUntil(now, 1, IANAZone.create('UTC')).map(({ date }) => date)).toEqual(['2026-03-01']);
    expect(daysUntil(now + hour, 1, IANAZone.create('UTC')).map(({ date }) => date)).toEqual(['2026-03-02']);
  });

  it('leave no gap in a year, also where midnight does not exist', () => {
    const days = daysUntil(at('2019-02-01T12:00:00Z'), 366, IANAZone.create('America/Sao_Paulo'));
    expect(days).toHaveLength(366);
    for (const [n, { to }] of days.slice(0, -1).entries()) expect(to).toBe(days[n + 1]?.from);
    expect(days.find(({ date }) => date === '2018-11-04')?.from).toBe(at('2018-11-04T03:00:00Z'));
  });
});

describe('the state of a day', () => {
  const days = daysUntil(at('2026-03-05T12:00:00Z'), 5, IANAZone.create('UTC'));
  const now = at('2026-03-05T12:00:00Z');
  const known = { createdAt: 0, objectiveMs: null, facts: [], damaged: [] };
  const fact = (day: number, state: DayFact['state'], hours = 2): DayFact => ({
    at: (days[day - 1]?.from ?? 0) + hours * hour,
    state,
  });
  const strip = (values: Partial<Parameters<typeof judgeDays>[1]>) =>
    stripOf(judgeDays(days, { ...known, ...values }, now));

  it('is the most telling one of its facts', () => {
    const facts = [
      ...[fact(1, 'missed'), fact(1, 'failed')],
      ...[fact(2, 'failed'), fact(2, 'warning')],
      ...[fact(3, 'ok'), fact(3, 'failed'), fact(3, 'missed')],
      fact(4, 'missed'),
    ];
    expect(strip({ facts })).toBe('fwom-');
  });

  it('assigns a fact to its day to the millisecond', () => {
    const from = days[2]?.from ?? 0;
    expect(strip({ facts: [{ at: from, state: 'ok' }] })).toBe('--o--');
    expect(strip({ facts: [{ at: from - 1, state: 'ok' }] })).toBe('-o---');
    expect(strip({ facts: [{ at: now + 48 * hour, state: 'ok' }] })).toBe('-----');
  });

  it('is a warning where an archive was found damaged since', () => {
    const facts = [fact(1, 'ok'), fact(2, 'ok'), fact(3, 'failed')];
    expect(strip({ facts, damaged: [facts[1]?.at ?? 0, facts[2]?.at ?? 0] })).toBe('owf--');
  });

  it('is late if the newest archive exceeds the age limit without another fact', () => {
    const facts = [fact(1, 'ok'), fact(3, 'failed')];
    expect(strip({ facts, objectiveMs: 26 * hour })).toBe('olfll');
    expect(strip({ facts, objectiveMs: 50 * hour })).toBe('o-fll');
    expect(strip({ facts, objectiveMs: 500 * hour })).toBe('o-f--');
    expect(strip({ createdAt: days[3]?.from ?? 0, objectiveMs: 26 * hour })).toBe('----l');
  });
});
