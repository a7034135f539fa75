import type { Clock, Log } from '../ports/services.js';
import type { FencedRow } from './fenced-row.js';
import type { JobTimings } from './job-timings.js';

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
