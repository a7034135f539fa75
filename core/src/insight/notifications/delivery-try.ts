import { type Clock, isStoreError, type Log, type StorageBackend } from '@holdfast/plugin-api';
import pRetry from 'p-retry';
import type { EventBus, NewEvent } from '../../foundation/events/index.js';
import {
  heldRow,
  inTransaction,
  keepLease,
  type Lease,
  lastErrorColumns,
  type Pace,
  takeLease,
} from '../../foundation/kernel/index.js';
import { nextAttempt, type Transmission } from './notification-kind.rules.js';
import { type DeliveryRow, deliveries, notificationSettings } from './tables.js';

export interface DeliveryTryParts {
  storage: StorageBackend;
  clock: Clock;
  log: Log;
  events: EventBus;
  instanceId: string;
  /** Sends one message. Rejects only with a StoreError. */
  send(row: DeliveryRow, signal: AbortSignal): Promise<Transmission>;
}

/** One attempt to send a message, from taking it to recording the result. */
export class DeliveryTry {
  readonly row: DeliveryRow;
  readonly #parts: DeliveryTryParts;
  readonly #firstPause: number;
  readonly #lease: Lease;
  readonly #stopping = new AbortController();
  readonly #aborted: AbortSignal;

  private constructor(parts: DeliveryTryParts, times: Pace['outbox'], row: DeliveryRow) {
    this.#parts = parts;
    this.#firstPause = times.firstPause;
    this.row = row;
    this.#lease = keepLease(deliveries, row, {
      ...parts,
      leaseMs: times.lease,
      renewMs: times.renewEvery,
      onError: (error) =>
        parts.log.warn('could not renew the lease of a notification', { delivery: row.id, error }),
    });
    this.#aborted = AbortSignal.any([this.#stopping.signal, this.#lease.lost]);
  }

  /** Null when another instance has it, or it is no longer pending. */
  static async take(
    parts: DeliveryTryParts,
    times: Pace['outbox'],
    seen: DeliveryRow,
  ): Promise<DeliveryTry | null> {
    const lease_until = parts.clock.now() + times.lease;
    const row = await takeLease(parts.storage, deliveries, seen, {
      where: { status: 'pending' },
      patch: { owner: parts.instanceId, lease_until, attempts: seen.attempts + 1 },
    });
    return row && new DeliveryTry(parts, times, row);
  }

  /** Aborts the attempt. The message stays pending. */
  abort(): void {
    this.#stopping.abort(new Error('The attempt was aborted.'));
  }

  /** Rejects with a StoreError when the outcome could not be stored: the message is then sent again. */
  async run(): Promise<void> {
    try {
      const outcome = await this.#parts.send(this.row, this.#aborted);
      await pRetry(() => this.#write(outcome), {
        retries: 20,
        minTimeout: 100,
        maxTimeout: 2_000,
        shouldRetry: ({ error }) => isStoreError(error) && error.retryable,
      });
    } finally {
      void this.#lease.stop();
    }
  }

  get #mine() {
    return heldRow(this.row);
  }

  async #write(outcome: Transmission): Promise<void> {
    const { storage, clock, log, events } = this.#parts;
    const now = clock.now();
    const free = { owner: null, lease_until: null };
    if (outcome.sent) {
      const delivered = { ...free, status: 'delivered' as const, ended_at: now, ...lastErrorColumns(null) };
      await inTransaction(storage, async (session) => {
        if ((await session.update(deliveries, this.#mine, delivered)) === 0) return;
        await session.update(notificationSettings, { id: this.row.setting_id }, { last_used_at: now });
      });
      return;
    }
    if (this.#aborted.aborted) {
      await storage.update(deliveries, this.#mine, free);
      return;
    }
    const { attempts, queued_at: queuedAt, message_id: message } = this.row;
    const next = outcome.retryable
      ? nextAttempt({ attempts, queuedAt, pauseMs: outcome.pauseMs }, now, this.#firstPause)
      : null;
    const failed = { ...free, ...lastErrorColumns(outcome.reason) };
    if (next !== null) {
      await storage.update(deliveries, this.#mine, {
        ...failed,
        next_attempt_at: next,
        queued_at: Math.min(queuedAt, now),
      });
      return;
    }
    const parked = { ...failed, status: 'parked' as const, ended_at: now };
    await inTransaction(storage, async (session) => {
      if ((await session.update(deliveries, this.#mine, parked)) === 0) return;
      await events.record(session, this.#parked(outcome.reason.text));
    });
    events.nudge();
    log.error('gave up on a notification', { message, reason: outcome.reason.text });
  }

  #parked(reason: string): NewEvent {
    const { id, setting_id, repository_id } = this.row;
    const data = { delivery_id: id, setting_id, reason };
    return { kind: 'delivery_parked', repositoryId: repository_id, jobId: null, data };
  }
}
