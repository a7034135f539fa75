import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { Meter, rateAt } from '../../src/backup/ssh/bandwidth.rules.js';

const clock = (minutes: number) =>
  [Math.floor(minutes / 60) % 24, minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
const minute = fc.integer({ min: 0, max: 1439 });

describe('rateAt', () => {
  it('follows the clock on the wall, past midnight and over clock changes', () => {
    // Around both clock changes of 2026 in Europe/Berlin.
    const days = fc.constantFrom('2026-03-28', '2026-03-29', '2026-10-24', '2026-10-25');
    fc.assert(
      fc.property(days, minute, minute, minute, (day, offset, from, length) => {
        fc.pre(length > 0);
        const at = DateTime.fromISO(day, { zone: 'Europe/Berlin' }).plus({ minutes: offset });
        const hours = [{ from: clock(from), to: clock(from + length), bytes_per_second: 1 }];
        const rate = rateAt({ bytes_per_second: null, hours, timezone: 'Europe/Berlin' }, at.toMillis());
        const since = (at.hour * 60 + at.minute - from + 1440) % 1440;
        expect(rate).toBe(since < length ? 1 : null);
      }),
    );
  });

  it('uses the first of the hours that match, otherwise the default', () => {
    const hours = [
      { from: '08:00', to: '18:00', bytes_per_second: null },
      { from: '12:00', to: '20:00', bytes_per_second: 2 },
    ];
    const at = (time: string) =>
      rateAt({ bytes_per_second: 3, hours, timezone: 'UTC' }, Date.parse(`2026-01-01T${time}:00Z`));
    expect(['07:59', '08:00', '17:59', '18:00', '20:00'].map(at)).toEqual([3, null, null, 2, 3]);
  });
});

describe('Meter', () => {
  it('averages the rate, however the transfers are cut', () => {
    const transfers = fc.array(fc.integer({ min: 1, max: 200_000 }), { minLength: 300, maxLength: 300 });
    fc.assert(
      fc.property(transfers, fc.integer({ min: 50_000, max: 5_000_000 }), (bytes, rate) => {
        const meter = new Meter();
        let now = 1e12;
        meter.spend(0, rate, now);
        for (const each of bytes) now += meter.spend(each, rate, now);
        const sent = bytes.reduce((sum, each) => sum + each, 0);
        expect(((now - 1e12) * rate) / 1000).toBeGreaterThan(sent - rate - 200_000);
        expect(((now - 1e12) * rate) / 1000).toBeLessThan(sent + 1);
      }),
    );
  });

  it('owes at most ten seconds, and follows a new rate', () => {
    const meter = new Meter();
    expect(meter.spend(1e9, 1e6, 1e12)).toBe(10_000);
    expect(meter.spend(0, 1e7, 1e12)).toBe(1000);
    expect(meter.spend(0, 1e7, 1e12 + 60_000)).toBe(0);
    expect(meter.spend(11e6, 1e7, 1e12 + 60_000)).toBe(100);
  });
});
