import type { Clock, Entity, StorageBackend, Where } from '@holdfast/plugin-api';

/** One turn of one rule. */
export interface Sweep {
  storage: StorageBackend;
  clock: Clock;
  retention: Retention;
  /** How far the previous turn got, as it returned; null at first. */
  place: number | null;
  /** False when the turn should end. The next one continues. */
  going(): boolean;
  /** Removes old entries from the audit trail. */
  sweepAudit(): Promise<void>;
}

/** Rows per batch: small enough to let others use the database. */
export const batchOfRows = 200;

export const dayMs = 86_400_000;

/** The instant `days` days ago. */
export const daysAgo = ({ clock }: Pick<Sweep, 'clock'>, days: number): number => clock.now() - days * dayMs;

/** Removes matching rows in batches. Rows that no longer match when their batch is removed are retained. */
export async function removeInBatches<E extends Entity>(
  { storage, going }: Pick<Sweep, 'storage' | 'going'>,
  entity: E,
  where: Where<E>,
): Promise<void> {
  while (going()) {
    const rows = await storage.find(entity, { where, limit: batchOfRows });
    const ids = rows.map((row) => (row as { id: number }).id);
    if (ids.length > 0) await storage.remove(entity, { ...where, id: { in: ids } } as Where<E>);
    if (rows.length < batchOfRows) return;
  }
}

/** How long, and how much of, data that grows by itself is retained. */
export interface Retention {
  /** Days since the end of a job. */
  jobDays: number;
  /** Ended jobs in all; the oldest go first. */
  jobs: number;
  /** Days since the end of the job of a log, and of the run of a script. */
  jobLogDays: number;
  /** Days since the planned instant of a run. */
  runDays: number;
  /** Runs in the ledger of one schedule. */
  runsOfSchedule: number;
  eventDays: number;
  /** Days since a message was delivered or given up. */
  deliveryDays: number;
  /** Days since an incident was over. */
  incidentDays: number;
  /** Active logins of one user; the oldest are ended first. */
  sessionsOfUser: number;
}

export const defaultRetention: Retention = {
  jobDays: 365,
  jobs: 1_000_000,
  jobLogDays: 90,
  runDays: 365,
  runsOfSchedule: 10_000,
  eventDays: 30,
  deliveryDays: 30,
  incidentDays: 365,
  sessionsOfUser: 1_000,
};
