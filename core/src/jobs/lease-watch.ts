import type { JobRow } from '../schema/tables.js';
import type { JobTimings } from './job-timings.js';

type Leased = Pick<JobRow, 'id' | 'fence' | 'lease_until'>;

interface Sighting extends Omit<Leased, 'id'> {
  /** Monotonic. */
  since: number;
}

/** The wall clock of a machine in order is moved by less than this between two looks. */
const noticedJump = 3_000;

/**
 * Tells of running jobs which ones nobody keeps any more. Their leases end by the wall clock, and that may be set: put
 * forward it ends leases that are alive, put back it lets dead ones live for hours. So when it was just set, and for
 * leases from the future, a lease counts as over when it was not renewed for as long as it lasts, by the clock that
 * nobody sets.
 */
export class LeaseWatch {
  #seen = new Map<number, Sighting>();
  #offset: number | null = null;
  #setAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly timings: Pick<JobTimings, 'lease' | 'takeOverAfter'>) {}

  /** Those whose leases are over, of all that run now. `now`: by the wall clock; `at`: by the monotonic one. */
  over<J extends Leased>(running: readonly J[], now: number, at = performance.now()): J[] {
    const { lease, takeOverAfter } = this.timings;
    this.#notice(now, at);
    const seen = new Map(running.map((job) => [job.id, this.#sighting(job, at)]));
    this.#seen = seen;
    const isSteady = at - this.#setAt > lease + takeOverAfter;
    return running.filter(({ id, lease_until }) => {
      if (isSteady && (lease_until ?? 0) < now - takeOverAfter) return true;
      return at - (seen.get(id)?.since ?? at) > lease + takeOverAfter;
    });
  }

  #notice(now: number, at: number): void {
    const offset = now - at;
    if (this.#offset !== null && Math.abs(offset - this.#offset) > noticedJump) this.#setAt = at;
    this.#offset = offset;
  }

  #sighting({ id, fence, lease_until }: Leased, at: number): Sighting {
    const before = this.#seen.get(id);
    return before?.fence === fence && before.lease_until === lease_until
      ? before
      : { fence, lease_until, since: at };
  }
}
