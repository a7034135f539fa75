import { duties, incidents } from '../incidents/tables.js';
import type { JobKind, JobStatus } from '../jobs/index.js';
import { type JobFigures, noFigures, noRepository } from '../jobs/index.js';
import { jobFigures, jobs } from '../jobs/tables.js';
import { clockToleranceMs } from '../kernel/index.js';
import { type CheckScheduleRow, checkSchedules } from '../maintenance/tables.js';
import type { DeliveryStatus } from '../notifications/index.js';
import { deliveries } from '../notifications/tables.js';
import { archives, type RepositoryRow, repositories } from '../repositories/tables.js';
import {
  type ScheduleRepositoryRow,
  type ScheduleRow,
  scheduleRepositories,
  schedules,
} from '../schedules/tables.js';
import type { MonitoringNeeds } from './needs.js';
import { judgeOpening, judgeProtection, type Protection } from './protection.rules.js';
import { protectionFacts } from './protection-facts.js';

/** A count of jobs that have not ended. */
export interface OpenJobs {
  kind: JobKind;
  status: JobStatus;
  repositoryId: number | null;
  count: number;
  oldest: number | null;
}

/** A count of messages in the outbox. */
export interface OutboxCount {
  status: DeliveryStatus;
  count: number;
  /** When the oldest of them was queued. */
  oldest: number | null;
}

/** The input of all metrics, read at one time. Its cost does not grow with the number of past jobs. */
export interface MetricFacts {
  now: number;
  repositories: RepositoryFacts[];
  /** For all repositories. Those no longer registered share one entry. */
  figures: JobFigures[];
  orphans: JobFigures;
  open: OpenJobs[];
  schedules: ScheduleRow[];
  /** Which repositories each schedule has. */
  links: ScheduleRepositoryRow[];
  /** Messages that are pending or were given up. */
  outbox: OutboxCount[];
  /** Open incidents by cause. */
  incidents: { cause: string; count: number }[];
  /** What came of the last heartbeat; null without one. */
  heartbeat: { problem: string | null; at: number } | null;
}

export interface RepositoryFacts {
  row: RepositoryRow;
  figures: JobFigures;
  /** Start of the newest archive that counts for protection; null without one. */
  newestArchive: number | null;
  /** Start of an archive that does not count, newer than that; null without one. */
  uncountedAt: number | null;
  /** The last instant that an enabled schedule of it was planned for; null without one. */
  lastPlanned: number | null;
  /** The enabled schedules that cover it. */
  covering: readonly ScheduleRow[];
  /** Its check schedule; null when none was ever set. */
  checks: CheckScheduleRow | null;
  protection: Protection;
}

type Needs = Pick<MonitoringNeeds, 'storage' | 'clock'>;

export async function readMetricFacts({ storage, clock }: Needs): Promise<MetricFacts> {
  const now = clock.now();
  const latest = now + clockToleranceMs;
  const [
    rows,
    figureRows,
    newestOnes,
    futureOnes,
    open,
    scheduleRows,
    links,
    checkRows,
    outbox,
    found,
    beats,
  ] = await Promise.all([
    storage.find(repositories),
    storage.find(jobFigures),
    storage.aggregate(archives, {
      where: { start: { lte: latest } },
      groupBy: ['repository_id', 'partial', 'damaged'],
      measures: { newest: { max: 'start' }, ended: { max: 'end' } },
    }),
    storage.aggregate(archives, {
      where: { start: { gt: latest } },
      groupBy: ['repository_id'],
      measures: { newest: { max: 'start' } },
    }),
    storage.aggregate(jobs, {
      where: { status: { in: ['pending', 'running'] } },
      groupBy: ['kind', 'status', 'repository_id'],
      measures: { count: { count: true }, oldest: { min: 'requested_at' } },
    }),
    storage.find(schedules),
    storage.find(scheduleRepositories),
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
  const figuresOf = new Map(figureRows.map(({ repository_id, figures }) => [repository_id, figures]));
  const good = newestOnes.filter(({ partial, damaged }) => !partial && !damaged);
  const newestOf = new Map(good.map((group) => [group.repository_id, group]));
  const schedulesOf = enabledSchedules(scheduleRows, links);
  const checksOf = new Map(checkRows.map((row) => [row.repository_id, row]));
  const futureOf = new Map(futureOnes.map((group) => [group.repository_id, group.newest]));
  return {
    now,
    repositories: rows.map((row) => {
      const covering = schedulesOf.get(row.id) ?? [];
      const found = newestOf.get(row.id);
      const newest = found?.newest == null ? null : { start: found.newest, end: found.ended };
      const uncounted = newestUncounted(newestOnes, row.id);
      const figures = figuresOf.get(row.id) ?? noFigures;
      return {
        ...{ row, figures, newestArchive: newest?.start ?? null },
        uncountedAt: uncounted > (newest?.start ?? 0) ? uncounted : null,
        covering,
        lastPlanned: covering.reduce<number | null>(
          (last, { last_planned: at }) => (at === null ? last : Math.max(at, last ?? 0)),
          null,
        ),
        checks: checksOf.get(row.id) ?? null,
        protection: judgeOpening(
          judgeProtection(
            protectionFacts({
              ...{ row, figures, newest, uncounted, covering },
              futureAt: futureOf.get(row.id) ?? null,
            }),
            now,
          ),
          row,
        ),
      };
    }),
    figures: [...figuresOf.values()],
    orphans: figuresOf.get(noRepository) ?? noFigures,
    open: open.map(({ kind, status, repository_id, count, oldest }) => ({
      ...{ kind, status, repositoryId: repository_id, count: count ?? 0, oldest },
    })),
    schedules: scheduleRows,
    links,
    incidents: found.map(({ cause, count }) => ({ cause, count: count ?? 0 })),
    heartbeat: beats[0]?.note ?? null,
    outbox: outbox.map(({ status, count, oldest }) => ({ status, count: count ?? 0, oldest })),
  };
}

interface NewestOfKind {
  repository_id: number;
  partial: boolean;
  damaged: boolean;
  newest: number | null;
}

/** Start of the newest archive that does not count; 0 without one. */
const newestUncounted = (found: readonly NewestOfKind[], repositoryId: number): number =>
  found
    .filter((group) => group.repository_id === repositoryId && (group.partial || group.damaged))
    .reduce((last, { newest }) => Math.max(last, newest ?? 0), 0);

function enabledSchedules(
  rows: readonly ScheduleRow[],
  links: readonly { schedule_id: number; repository_id: number }[],
): Map<number, ScheduleRow[]> {
  const enabled = new Map(rows.filter((row) => row.enabled).map((row) => [row.id, row]));
  const covering = new Map<number, ScheduleRow[]>();
  for (const { schedule_id, repository_id } of links) {
    const schedule = enabled.get(schedule_id);
    if (schedule) covering.set(repository_id, [...(covering.get(repository_id) ?? []), schedule]);
  }
  return covering;
}
