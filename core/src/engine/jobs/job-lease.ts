import type { Clock, Log, StorageBackend, StorageSession } from '@holdfast/plugin-api';
import type { Pace } from '../../foundation/kernel/index.js';
import { type JobRow, jobs } from './tables.js';

export interface LeaseParts {
  row: FencedRow;
  clock: Clock;
  log: Log;
  timings: Pace['jobs'];
  /** Monotonic time from which the first lease counts. */
  takenAt: number;
  onCancel(): void;
}

/**
 * Renews the lease of a taken job and watches for a request to cancel it. The job is lost when the row says so, or
 * when the lease ended unconfirmed: the storage was unavailable for too long, or the process was suspended.
 */
export class JobLease {
  readonly #parts: LeaseParts;
  #renewedAt: number;
  #overdueSince: number | null = null;
  #timer: NodeJS.Timeout | undefined;
  #asking = false;
  #persistent = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#renewedAt = parts.takenAt;
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), this.#parts.timings.pollEvery);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** The tool has ended and only the result is left to write: an unconfirmed lease does no harm now. */
  persist(): void {
    this.#persistent = true;
  }

  /**
   * Ends the run when its lease has ended: a tool started now could collide with that of the instance that took the
   * job over.
   */
  requireFresh(): void {
    if (performance.now() - this.#renewedAt <= this.#parts.timings.lease) return;
    this.#parts.log.error('the lease of a job expired before Borg was started', {});
    this.#parts.row.lose();
  }

  #tick(): void {
    const now = performance.now();
    this.#watch(now);
    if (this.#asking || this.#parts.row.lost) return;
    this.#asking = true;
    const due = now - this.#renewedAt >= this.#parts.timings.renewEvery;
    void (due ? this.#renew(now) : this.#look())
      .catch((error: unknown) => this.#parts.log.warn('the lease of a job could not be confirmed', { error }))
      .finally(() => {
        this.#asking = false;
      });
  }

  /** A process that was suspended gets one try to find out whether the job is still its own. */
  #watch(now: number): void {
    const { timings, row, log } = this.#parts;
    if (this.#persistent || now - this.#renewedAt <= timings.lease) return;
    this.#overdueSince ??= now;
    if (now - this.#overdueSince < timings.confirmWithin) return;
    if (!row.lost) log.error('the lease of a job expired unconfirmed: stopping Borg', {});
    row.lose();
  }

  async #renew(now: number): Promise<void> {
    const { row, clock, timings } = this.#parts;
    if (!(await row.update({ lease_until: clock.now() + timings.lease }))) return;
    this.#renewedAt = now;
    this.#overdueSince = null;
  }

  async #look(): Promise<void> {
    const row = await this.#parts.row.read();
    if (row?.cancel_requested) this.#parts.onCancel();
  }
}

type Leased = Pick<JobRow, 'id' | 'fence' | 'lease_until'>;

interface Sighting extends Omit<Leased, 'id'> {
  /** Monotonic. */
  since: number;
}

/** On a healthy machine the wall clock is adjusted by less than this between two checks, in milliseconds. */
const noticedJump = 3_000;

/**
 * Finds running jobs whose leases are over. Leases end by the wall clock, which may be set: forward, it ends leases
 * that are alive; back, it keeps dead ones alive for hours. So after a change of the clock, and for leases from the
 * future, a lease counts as over when it was not renewed for its full length by the monotonic clock.
 */
export class LeaseWatch {
  #seen = new Map<number, Sighting>();
  #offset: number | null = null;
  #setAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly timings: Pick<Pace['jobs'], 'lease' | 'takeOverAfter'>) {}

  /** The jobs whose leases are over. `running`: all that run now; `now`: wall clock; `at`: monotonic clock. */
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

/** Writes to the row of a job that take effect only while the job belongs to this run. */
export class FencedRow {
  readonly #where: { id: number; fence: number; status: 'running' };
  readonly #storage: StorageBackend;
  readonly #onLost: () => void;
  #lost = false;

  constructor(storage: StorageBackend, job: Pick<JobRow, 'id' | 'fence'>, onLost: () => void) {
    this.#storage = storage;
    this.#where = { id: job.id, fence: job.fence, status: 'running' };
    this.#onLost = onLost;
  }

  get lost(): boolean {
    return this.#lost;
  }

  /** Nothing is written after this. */
  lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#onLost();
  }

  /** False when the job is lost. Rejects with the error of the storage. */
  async update(patch: Partial<JobRow>, session: StorageSession = this.#storage): Promise<boolean> {
    if (this.#lost) return false;
    const held = (await session.update(jobs, this.#where, patch)) > 0;
    if (!held) this.lose();
    return held;
  }

  /** The current row, or null when the job is lost. */
  async read(session: StorageSession = this.#storage): Promise<JobRow | null> {
    if (this.#lost) return null;
    const [row] = await session.find(jobs, { where: this.#where, limit: 1 });
    if (!row) this.lose();
    return row ?? null;
  }
}
