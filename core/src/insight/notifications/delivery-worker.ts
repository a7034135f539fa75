import type { StorageBackend } from '@holdfast/plugin-api';
import { type Pace, paces, type Repeated, repeat } from '../../foundation/kernel/index.js';
import { DeliveryTry, type DeliveryTryParts } from './delivery-try.js';
import { dueAt, longestAsked } from './notification-kind.rules.js';
import { type DeliveryRow, deliveries } from './tables.js';

export interface DeliveryWorkerParts extends DeliveryTryParts {
  /** Default: the usual ones. */
  timings?: Partial<Pace['outbox']> | undefined;
}

export interface DeliveryWorker {
  start(): void;
  /** Sends what is due now. Never rejects. */
  look(): Promise<void>;
  /** Starts no more attempts, waits `graceMs` for running ones, then aborts them. May be called twice. */
  stop(graceMs: number): Promise<void>;
}

/** Limits, so that a receiver that hangs does not block the others. */
const maxAtOnce = 16;
const maxPerSetting = 4;

/**
 * Sends the outbox in order for each channel and repository: only the oldest pending message is tried. The
 * rows decide what is due, and the instance that raises a row's fence sends it.
 */
export function makeDeliveryWorker(parts: DeliveryWorkerParts): DeliveryWorker {
  const timings = { ...paces.usual.outbox, ...parts.timings };
  const running = new Map<number, { settingId: number; attempt: DeliveryTry; done: Promise<void> }>();
  let stopped = true;
  let scanning: Repeated | undefined;
  const look = async () => scanning?.now();

  async function scan(): Promise<void> {
    const now = parts.clock.now();
    await closeWindows(parts.storage, now);
    for (const row of await dueRows(parts.storage, now)) {
      const [over, ahead] = [now - timings.takeOverAfter, now + longestAsked];
      const leased = row.lease_until !== null && row.lease_until > over && row.lease_until < ahead;
      const ofSetting = [...running.values()].filter(({ settingId }) => settingId === row.setting_id);
      if (leased || running.has(row.id) || ofSetting.length >= maxPerSetting) continue;
      if (stopped || running.size >= maxAtOnce) return;
      const taken = await DeliveryTry.take(parts, timings, row);
      if (taken) begin(taken);
    }
  }

  function begin(taken: DeliveryTry): void {
    const { id, setting_id: settingId } = taken.row;
    const done = taken
      .run()
      .catch((error: unknown) => parts.log.error('could not process a notification', { delivery: id, error }))
      .finally(() => running.delete(id))
      .then(() => void look());
    running.set(id, { settingId, attempt: taken, done });
  }

  return {
    look,
    start() {
      stopped = false;
      scanning = repeat(scan, {
        everyMs: timings.scanEvery,
        onError: (error, again) => {
          if (!again) parts.log.warn('could not scan the outbox; retrying', { error });
        },
      });
    },
    async stop(graceMs) {
      stopped = true;
      await scanning?.stop();
      const ended = Promise.all([...running.values()].map(({ done }) => done));
      const abort = setTimeout(() => {
        for (const each of running.values()) each.attempt.abort();
      }, graceMs);
      await ended;
      clearTimeout(abort);
    },
  };
}

const batch = 100;

/** Releases grouped failures whose window has ended. The time limit for retries starts now. */
async function closeWindows(storage: StorageBackend, now: number): Promise<void> {
  const collecting = { status: 'collecting' as const };
  const over = [
    { ...collecting, next_attempt_at: { lte: now } },
    // Filed by a clock that was ahead.
    { ...collecting, created_at: { gt: now + longestAsked } },
  ];
  for (const where of over)
    for (const { id } of await storage.find(deliveries, { where, limit: batch }))
      await storage.update(
        deliveries,
        { ...where, id },
        { status: 'pending', queued_at: now, next_attempt_at: now },
      );
}

/** The oldest pending message of each setting and repository, if it is due; the longest waiting first. */
async function dueRows(storage: StorageBackend, now: number): Promise<DeliveryRow[]> {
  const queues = await storage.aggregate(deliveries, {
    where: { status: 'pending' },
    groupBy: ['setting_id', 'repository_id'],
    measures: { first: { min: 'id' } },
  });
  const heads = queues.map(({ first }) => first).filter((id) => id !== null);
  const rows: DeliveryRow[] = [];
  for (let at = 0; at < heads.length; at += batch) {
    const id = { in: heads.slice(at, at + batch) };
    for (const next_attempt_at of dueAt(now))
      rows.push(...(await storage.find(deliveries, { where: { id, next_attempt_at, status: 'pending' } })));
  }
  return rows.toSorted((a, b) => a.next_attempt_at - b.next_attempt_at);
}
