import type { LedgerJob, Log, StorageBackend, TimerService } from '@holdfast/plugin-api';
import { atMost, type Pace, type Repeated, repeat } from '../../foundation/kernel/index.js';
import { type FollowedRows, LedgerFollower } from './ledger-follower.js';
import type { RunningJobs } from './running-jobs.js';
import { type JobRow, jobs } from './tables.js';

const atOnce = 500;
const endWithin = 1_000;

interface Parts {
  storage: StorageBackend;
  timers: TimerService;
  log: Log;
  running: Pick<RunningJobs, 'ids'>;
  timings: Pace['jobs'];
}

/**
 * Shows jobs in the ledger of the timer service, if it has one. It writes at once those that run here and those that
 * were queued or ended here; from time to time it looks for other differences.
 */
export class JobLedger {
  readonly #noted = new Set<number>();
  #work: Repeated | undefined;
  #followedAt = Number.NEGATIVE_INFINITY;
  readonly #follower: LedgerFollower | undefined;

  constructor(private readonly parts: Parts) {
    const { ledger } = parts.timers;
    this.#follower = ledger && new LedgerFollower(ledger, { series: 'job', wanted: wanted(parts) });
  }

  /** Call it after the commit that queued or ended a job. */
  note(id: number): void {
    if (this.parts.timers.ledger) this.#noted.add(id);
  }

  start(): void {
    const { timers, log } = this.parts;
    if (!timers.ledger) return;
    const onError = (error: unknown) =>
      log.debug('the jobs could not be written to the store of timers', { error });
    this.#work = repeat(() => this.#turn(), { everyMs: this.parts.timings.ledgerWriteEvery, onError });
  }

  /** Writes what is left, if the store answers soon. */
  async stop(): Promise<void> {
    await atMost(endWithin, this.#work?.now() ?? Promise.resolve());
    void this.#work?.stop();
  }

  async #turn(): Promise<void> {
    const ids = [...new Set([...this.parts.running.ids, ...this.#noted])];
    try {
      for (let at = 0; at < ids.length; at += atOnce) await this.#write(ids.slice(at, at + atOnce));
      if (performance.now() - this.#followedAt < this.parts.timings.ledgerFollowEvery) return;
      await this.#follower?.follow();
      this.#followedAt = performance.now();
    } catch (error) {
      // The store may come back as it was before.
      this.#followedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  async #write(ids: readonly number[]): Promise<void> {
    const { storage, timers } = this.parts;
    // What is noted meanwhile is for the next turn.
    for (const id of ids) this.#noted.delete(id);
    const rows = await storage.find(jobs, { where: { id: { in: ids } } });
    await timers.ledger?.write(rows.map(entryOf));
  }
}

const wanted =
  ({ storage }: Parts): FollowedRows['wanted'] =>
  async (below, limit) => {
    const where = Number.isFinite(below) ? { id: { lt: below } } : {};
    return (await storage.find(jobs, { where, order: [['id', 'desc']], limit })).map(entryOf);
  };

const entryOf = (row: JobRow): LedgerJob => ({
  id: row.id,
  kind: row.kind,
  repository: row.repository_name,
  status: row.status,
  queuedAt: row.requested_at,
  startedAt: row.started_at,
  endedAt: row.completed_at,
  progress: row.status === 'running' ? Math.floor(row.progress.percent) : null,
  problem: row.status === 'failed' ? row.error_message : null,
});
