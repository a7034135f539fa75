import { describe, expect, it } from 'vitest';
import { longestGap } from '../../src/backup/schedules/calendar/longest-gap.rules.js';

const hour = 3_600_000;

describe('the longest planned gap of a cron expression', () => {
  it.each([
    ['0 2 * * *', 24],
    ['0 * * * *', 1],
    ['*/5 * * * *', 1 / 12],
    ['0 2,14 * * *', 12],
    ['0 2,20 * * *', 18],
    ['0 2 * * 1-5', 72],
    ['* 9-17 * * 1-5', 63 + 1 / 60],
    ['0 9-17 * * 1-5', 64],
    ['30 4 * * 0', 168],
    ['0 2 1 * *', 31 * 24],
    ['0 2 1,15 * *', 17 * 24],
    ['0 0 1 1 *', 366 * 24],
    ['0 0 31 * *', 61 * 24],
  ])('%s: %d h', (expression, hours) => {
    expect(longestGap(expression) / hour).toBeCloseTo(hours, 9);
  });

  it('reaches from one leap day to the next', () => {
    expect(longestGap('0 0 29 2 *') / (24 * hour)).toBe(1461);
  });

  it('refuses an invalid expression', () => {
    expect(() => longestGap('each night')).toThrow(/five fields|not valid/);
  });
});
