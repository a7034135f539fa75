import { describe, expect, it } from 'vitest';
import { LeaseWatch } from '../../src/engine/jobs/job-lease.js';

const start = Date.UTC(2030, 0, 1);
const hour = 3_600_000;
const lasts = 26_000;

describe('a watch on the leases of running jobs', () => {
  const make = () => new LeaseWatch({ lease: 20_000, takeOverAfter: 5_000 });
  const job = (lease_until: number, fence = 1) => ({ id: 1, fence, lease_until });

  it('takes a lease for over that ended some time ago, at the first look', () => {
    const watch = make();
    expect(watch.over([job(start - 4_000)], start, 0)).toEqual([]);
    expect(watch.over([job(start - 4_000)], start + 2_000, 2_000)).toHaveLength(1);
  });

  it('leaves renewed leases alone when the clock is put forward', () => {
    const watch = make();
    watch.over([job(start + 20_000)], start, 0);
    expect(watch.over([job(start + 20_000)], start + 24 * hour, 2_000)).toEqual([]);
    expect(watch.over([job(start + 24 * hour + 23_000)], start + 24 * hour + 4_000, 6_000)).toEqual([]);
  });

  it('takes one for over that is not renewed after the clock was put forward', () => {
    const watch = make();
    watch.over([job(start + 20_000)], start, 0);
    watch.over([job(start + 20_000)], start + hour, 2_000);
    expect(watch.over([job(start + 20_000)], start + hour + lasts, lasts)).toHaveLength(1);
  });

  it('expires a lease from the future if it is not renewed', () => {
    const watch = make();
    expect(watch.over([job(start + hour)], start, 0)).toEqual([]);
    expect(watch.over([job(start + hour)], start + 24_000, 24_000)).toEqual([]);
    expect(watch.over([job(start + hour)], start + lasts, lasts)).toHaveLength(1);
  });

  it('starts counting again when a lease is renewed or another run took the job', () => {
    const watch = make();
    watch.over([job(start + hour)], start, 0);
    expect(watch.over([job(start + hour + 5_000)], start + lasts, lasts)).toEqual([]);
    expect(watch.over([job(start + hour + 5_000, 2)], start + 2 * lasts, 2 * lasts)).toEqual([]);
  });
});
