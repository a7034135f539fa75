import { expect, test } from 'vitest';
import { isoTime } from '../../src/foundation/kernel/iso-time.js';

const day = 86_400_000;

test.each([
  0,
  -1,
  day - 1,
  day,
  -day,
  Date.UTC(2030, 1, 28, 23, 59, 59, 999),
  Date.UTC(2028, 1, 29),
  Date.UTC(0, 0, 1) - 70 * 365 * day,
  -62_198_755_200_000,
  253_402_300_800_000,
  8.64e15,
  -8.64e15,
])('formats %d like Date', (at) => {
  expect(isoTime(at)).toBe(new Date(at).toISOString());
});

test('formats many times like Date', () => {
  for (let n = 0; n < 2_000; n++) {
    const at = 1_500_000_000_000 + n * 7_654_321_987;
    expect(isoTime(at)).toBe(new Date(at).toISOString());
  }
});

test('truncates fractions of a second and rejects invalid times', () => {
  expect(isoTime(1.9)).toBe('1970-01-01T00:00:00.001Z');
  expect(isoTime(-0.5)).toBe('1969-12-31T23:59:59.999Z');
  expect(isoTime(day - 0.001)).toBe('1970-01-01T23:59:59.999Z');
  expect(isoTime(null)).toBeNull();
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + day]) {
    expect(() => isoTime(wrong)).toThrow(RangeError);
  }
});
