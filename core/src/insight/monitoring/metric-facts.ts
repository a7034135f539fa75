import { type CheckScheduleRow, checkSchedules } from '../../backup/maintenance/index.js';
import type { JobKind, JobStatus } from '../../engine/jobs/index.js';
import { jobs } from '../../engine/jobs/index.js';
import { duties, incidents } from '../incidents/tables.js';
import type { DeliveryStatus } from '../notifications/index.js';
import { deliveries } from '../notifications/tables.js';
import type { MonitoringNeeds } from './needs.js';
import { type AllRepositories, readRepositoryFacts } from './repository-facts.js';

/** A count of jobs that have not ended. */
interface OpenJobs {
  kind: JobKind;
  status: JobStatus;
  repositoryId: number | null;
  count: number;
  oldest: number | null;
}

/** A count of messages in the outbox. */
interface OutboxCount {
  status: DeliveryStatus;
  count: number;
  /** When the oldest of them was queued. */
  oldest: number | null;
}

/** The input of all metrics, read at one time. Its cost does not grow with the number of past jobs. */
export interface MetricFacts extends AllRepositories {
  open: OpenJobs[];
  /** By repository. */
  checks: ReadonlyMap<number, CheckScheduleRow>;
  /** Messages that are pending or were given up. */
  outbox: OutboxCount[];
  /** Open incidents by cause. */
  incidents: { cause: string; count: number }[];
  /** The result of the last heartbeat; null without one. */
  heartbeat: { problem: string | null; at: number } | null;
}

type Needs = Pick<MonitoringNeeds, 'storage' | 'clock'>;

export async function readMetricFacts({ storage, clock }: Needs): Promise<MetricFacts> {
  const [known, open, checkRows, outbox, found, beats] = await Promise.all([
    readRepositoryFacts({ storage, clock }),
    storage.aggregate(jobs, {
      where: { status: { in: ['pending', 'running'] } },
      groupBy: ['kind', 'status', 'repository_id'],
      measures: { count: { count: true }, oldest: { min: 'requested_at' } },
    }),
    storage.find(checkSchedules),
    storage.aggregate(deliveries, {
      where: { status: { in: ['pending', 'parked'] } },
      groupBy: ['status'],
      measures: { count: { count: true }, oldest: { min: 'queued_at' } },
    }),
    storage.aggregate(incidents, {
      where: { is_open: true },
      groupBy: ['cause'],
      measures: { count: { count: true } },
    }),
    storage.find(duties, { where: { name: 'heartbeat' }, limit: 1 }),
  ]);
  return {
    ...known,
    open: open.map(({ kind, status, repository_id, count, oldest }) => ({
      kind,
      status,
      repositoryId: repository_id,
      count: count ?? 0,
      oldest,
    })),
    checks: new Map(checkRows.map((row) => [row.repository_id, row])),
    incidents: found.map(({ cause, count }) => ({ cause, count: count ?? 0 })),
    heartbeat: beats[0]?.note ?? null,
    outbox: outbox.map(({ status, count, oldest }) => ({ status, count: count ?? 0, oldest })),
  };
}
