import type { JobKind } from '../../engine/jobs/index.js';
import { entries } from '../../engine/jobs/index.js';
import { type Metric, metric, sample } from './metric.rules.js';
import type { MetricFacts } from './metric-facts.js';

/** The metrics that count jobs. */
export const jobMetrics = (facts: MetricFacts): Metric[] => [
  byRepository(facts, 'backup', 'Backup jobs of registered repositories by status.'),
  orphanedBackups(facts),
  byStatus(facts, 'restore', 'Restore jobs by status.'),
  byRepository(facts, 'check', 'Check jobs of registered repositories by status.'),
  lastDuration(facts, 'check', 'Duration of the last check job.'),
  byStatus(facts, 'compact', 'Compact jobs by status.'),
  lastDuration(facts, 'compact', 'Duration of the last compact job.'),
  byStatus(facts, 'prune', 'Prune jobs by status.'),
  ...waitingJobs(facts),
];

function byRepository({ repositories, open }: MetricFacts, kind: JobKind, help: string): Metric {
  const names = new Map(repositories.map(({ row }) => [row.id, row.name]));
  const ended = repositories.flatMap(({ row, figures }) =>
    entries(figures.counts[kind] ?? {}).map(([status, count]) =>
      sample({ repository: row.name, status }, count),
    ),
  );
  const unfinished = open
    .filter((group) => group.kind === kind)
    .map(({ repositoryId, status, count }) => {
      const repository = names.get(repositoryId ?? 0);
      return repository === undefined ? null : sample({ repository, status }, count);
    });
  return metric(`${kind}_jobs_total`, help, ['repository', 'status'], [...ended, ...unfinished]);
}

function byStatus({ figures, open }: MetricFacts, kind: JobKind, help: string): Metric {
  const sums = new Map<string, number>();
  const add = (status: string, count: number) => sums.set(status, (sums.get(status) ?? 0) + count);
  for (const { counts } of figures)
    for (const [status, count] of entries(counts[kind] ?? {})) add(status, count);
  for (const group of open) if (group.kind === kind) add(group.status, group.count);
  const samples = [...sums].map(([status, count]) => sample({ status }, count));
  return metric(`${kind}_jobs_total`, help, ['status'], samples);
}

function orphanedBackups({ orphans }: MetricFacts): Metric {
  const counts = entries(orphans.counts.backup ?? {}).map(([, count]) => count);
  const total = counts.reduce((sum, count) => sum + count, 0);
  return metric(
    'backup_orphaned_jobs_total',
    'Backup jobs of repositories that are no longer registered.',
    [],
    [sample({}, total)],
  );
}

const lastDuration = (facts: MetricFacts, kind: JobKind, help: string): Metric =>
  metric(`${kind}_last_duration_seconds`, help, [], [sample({}, lastBegun(facts, kind)?.seconds)]);

/** The last ended job that was started, over all repositories. */
function lastBegun({ repositories }: MetricFacts, kind: JobKind) {
  const begun = repositories.flatMap(({ figures }) => figures.last[kind]?.begun ?? []);
  return begun.sort((a, b) => b.endedAt - a.endedAt)[0];
}

const activeTypes = ['backup', 'restore', 'check', 'compact', 'prune'] as const;

function waitingJobs(facts: MetricFacts): Metric[] {
  const { open, now } = facts;
  const of = (type: JobKind, status: string) =>
    open.filter((group) => group.kind === type && group.status === status);
  const count = (type: JobKind, status: string) =>
    of(type, status).reduce((sum, group) => sum + group.count, 0);
  const oldest = (type: JobKind) => {
    const since = of(type, 'pending').map((group) => group.oldest ?? now);
    return since.length === 0 ? null : Math.max(0, now - Math.min(...since)) / 1000;
  };
  const waiting = [...activeTypes, 'archive_deletion' as const];
  return [
    metric(
      'ui_active_jobs',
      'Running jobs.',
      ['type'],
      activeTypes.map((type) => sample({ type }, count(type, 'running'))),
    ),
    metric(
      'jobs_waiting',
      'Jobs that wait for their repository or for capacity.',
      ['type'],
      waiting.map((type) => sample({ type }, count(type, 'pending'))),
    ),
    metric(
      'jobs_longest_wait_seconds',
      'How long the oldest pending job has been waiting.',
      ['type'],
      waiting.map((type) => sample({ type }, oldest(type))),
    ),
    metric(
      'jobs_last_wait_seconds',
      'How long the last ended job had waited before it was started.',
      ['type'],
      waiting.map((type) => sample({ type }, lastBegun(facts, type)?.waited)),
    ),
  ];
}
