import { describe, expect, it } from 'vitest';
import {
  keepsAnything,
  planRetention,
  type RetentionRules,
} from '../../src/backup/maintenance/retention.rules.js';

const hour = 3_600_000;
const archive = (time: string) => ({ id: time, start: Date.parse(`${time}Z`) });
/** What is kept of archives at these times, as `time: reason`, newest first. */
const kept = (times: string[], rules: RetentionRules) =>
  planRetention(times.map(archive), rules).kept.map(({ archive: { id }, reason }) => `${id}: ${reason}`);

describe('retention', () => {
  it('keeps nothing of no archives', () => {
    expect(planRetention([], { daily: 7 })).toEqual({ kept: [], removed: [] });
  });

  it('keeps a single archive by the first rule', () => {
    expect(kept(['2026-03-01T10:00'], { hourly: 0, daily: 7, yearly: 1 })).toEqual([
      '2026-03-01T10:00: daily #1',
    ]);
  });

  it('keeps nothing when all rules are off', () => {
    const archives = ['2026-03-01T10:00', '2026-03-02T10:00'].map(archive);
    const rules = { hourly: 0, daily: 0, weekly: 0, monthly: 0, quarterly: 0, yearly: 0 };
    expect(planRetention(archives, rules)).toEqual({ kept: [], removed: archives.toReversed() });
    expect([keepsAnything(rules), keepsAnything({}), keepsAnything({ quarterly: 1 })]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it.each([
    ['UTC', '2026-03-01T23:30: daily #2'],
    ['Europe/Berlin', '2026-03-02T01:00: daily #2'],
    ['America/New_York', '2026-03-02T01:00: daily #2'],
  ])('counts days by the clock of %s', (timeZone, second) => {
    const times = ['2026-03-01T02:00', '2026-03-01T23:30', '2026-03-02T01:00', '2026-03-02T23:30'];
    expect(kept(times, { daily: 2, timeZone })).toEqual(['2026-03-02T23:30: daily #1', second]);
  });

  it('keeps the newest of each period in any order of archives', () => {
    const times = ['2026-03-02T23:59', '2026-03-01T00:00', '2026-03-01T12:00', '2026-03-03T00:00'];
    expect(kept(times, { daily: 2 })).toEqual(['2026-03-03T00:00: daily #1', '2026-03-02T23:59: daily #2']);
  });

  it('keeps one of each period when a rule has no limit', () => {
    const times = ['2019-05-01T10:00', '2020-05-01T10:00', '2020-06-01T10:00', '2021-05-01T10:00'];
    expect(kept(times, { yearly: -1 })).toEqual([
      '2021-05-01T10:00: yearly #1',
      '2020-06-01T10:00: yearly #2',
      '2019-05-01T10:00: yearly #3',
    ]);
    expect([keepsAnything({ yearly: -1 }), keepsAnything({ yearly: 0 })]).toEqual([true, false]);
  });

  it('gives an archive to the first matching rule, and the next rule another', () => {
    const days = Array.from({ length: 10 }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}T01:00`);
    expect(kept(days, { daily: 2, weekly: 2 })).toEqual([
      '2026-03-10T01:00: daily #1',
      '2026-03-09T01:00: daily #2',
      '2026-03-08T01:00: weekly #1',
      '2026-03-01T01:00: weekly #2',
    ]);
  });

  it('keeps the oldest archive for a rule that is not filled', () => {
    expect(kept(['2026-01-10T00:00', '2026-01-20T00:00', '2026-02-05T00:00'], { monthly: 5 })).toEqual([
      '2026-02-05T00:00: monthly #1',
      '2026-01-20T00:00: monthly #2',
      '2026-01-10T00:00: monthly[oldest] #3',
    ]);
  });

  it('counts weeks as ISO 8601 does, and quarters from January on', () => {
    // 2027-01-03 is a Sunday: the last day of week 53 of 2026.
    expect(kept(['2026-12-28T00:00', '2027-01-03T00:00', '2027-01-04T00:00'], { weekly: 2 })).toEqual([
      '2027-01-04T00:00: weekly #1',
      '2027-01-03T00:00: weekly #2',
    ]);
    const quarters = ['2026-03-31T23:59', '2026-04-01T00:00', '2026-06-30T00:00', '2026-07-01T00:00'];
    expect(kept(quarters, { quarterly: 3 })).toEqual([
      '2026-07-01T00:00: quarterly #1',
      '2026-06-30T00:00: quarterly #2',
      '2026-03-31T23:59: quarterly #3',
    ]);
  });

  it('treats the later one in the list as newer at the same instant', () => {
    const start = 10 * hour;
    const plan = planRetention(
      ['a', 'b'].map((id) => ({ id, start })),
      { hourly: 1 },
    );
    expect(plan.kept.map((each) => each.archive.id)).toEqual(['b']);
  });
});
