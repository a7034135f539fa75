import type { Clock, Log, StorageBackend, StorageSession } from '@holdfast/plugin-api';
import type { JobTimings } from './job-timings.js';
import { type JobRow, jobs } from './tables.js';

export interface LeaseParts {
  row: FencedRow;
  clock: Clock;
  log: Log;
  timings: JobTimings;
  /** Monotonic instant from which the first lease counts. */
  takenAt: number;
  onCancel(): void;
}

/**
 * Keeps a taken job: renews its lease and looks for a wish to cancel it. The job is lost when the row says
 * so, or when the lease went by unconfirmed: storage away for too long, or a process that stood still.
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

  /** The tool has ended, only the result is left to be written: an unconfirmed lease harms no one now. */
  persist(): void {
    this.#persistent = true;
  }

  /** Ends the run when its lease went by: what begins now could meet the work of whoever took the job over. */
  requireFresh(): void {
    if (performance.now() - this.#renewedAt <= this.#parts.timings.lease) return;
    this.#parts.log.error('the lease of a job ended before its tool was started', {});
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

  /** A process that was frozen gets one try to learn whether the job is still its own. */
  #watch(now: number): void {
    const { timings, row, log } = this.#parts;
    if (this.#persistent || now - this.#renewedAt <= timings.lease) return;
    this.#overdueSince ??= now;
    if (now - this.#overdueSince < timings.confirmWithin) return;
    if (!row.lost) log.error('the lease of a job ended unconfirmed: its tool is ended', {});
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

/** Writes to a job's row that hold only as long as the job belongs to this run. */
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

  /** From now on nothing is written. */
  lose(): void {
    if (this.#lost) return;
    this.#lost = true;
    this.#onLost();
  }

  /** False when the job is lost; rejects with the store's error. */
  async update(patch: Partial<JobRow>, session: StorageSession = this.#storage): Promise<boolean> {
    if (this.#lost) return false;
    const held = (await session.update(jobs, this.#where, patch)) > 0;
    if (!held) this.lose();
    return held;
  }

  /** The row as it is, or null when the job is lost. */
  async read(session: StorageSession = this.#storage): Promise<JobRow | null> {
    if (this.#lost) return null;
    const [row] = await session.find(jobs, { where: this.#where, limit: 1 });
    if (!row) this.lose();
    return row ?? null;
  }
}
