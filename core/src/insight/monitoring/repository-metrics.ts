import { coveragePercent } from '../../backup/drills/index.js';
import { type Metric, metric, sample, unixSeconds } from './metric.rules.js';
import type { MetricFacts } from './metric-facts.js';
import { protectionStates } from './protection.rules.js';
import type { RepositoryFacts } from './repository-facts.js';

const labels = ['repository'];

/** The metrics that have one sample for each repository. */
export function repositoryMetrics({ repositories, now }: MetricFacts): Metric[] {
  const each = (name: string, help: string, value: (facts: RepositoryFacts) => number | null | undefined) =>
    metric(
      name,
      help,
      labels,
      repositories.map((facts) => sample({ repository: facts.row.name }, value(facts))),
    );
  const ageOf = (at: number | null) => (at === null ? null : Math.max(0, now - at) / 1000);
  return [
    metric(
      'repository_info',
      'Registered repositories; the value is always 1.',
      ['repository', 'path', 'type', 'mode'],
      repositories.map(({ row: { name, path, mode, connection_id } }) =>
        sample({ repository: name, path, type: connection_id === null ? 'local' : 'ssh', mode }, 1),
      ),
    ),
    each('repository_size_bytes', 'Bytes on disk of all archives together.', ({ row }) => row.stored_size),
    each('repository_archive_count', 'Number of archives.', ({ row }) => row.archive_count),
    each(
      'repository_unfinished_archives',
      'Unfinished archives that interrupted backups left, as last seen.',
      ({ row }) => row.unfinished_archives,
    ),
    each('repository_last_backup_timestamp', 'End of the last backup, in Unix seconds.', ({ row }) =>
      unixSeconds(row.last_backup),
    ),
    each(
      'repository_last_check_timestamp',
      'End of the last full check that passed, in Unix seconds.',
      ({ row }) => unixSeconds(row.last_check),
    ),
    each('repository_last_compact_timestamp', 'End of the last compact, in Unix seconds.', ({ row }) =>
      unixSeconds(row.last_compact),
    ),
    each(
      'repository_newest_archive_age_seconds',
      'Time since the newest existing archive was started.',
      (facts) => ageOf(facts.newestArchive),
    ),
    each(
      'repository_promised_archive_age_seconds',
      'Time since the last scheduled backup was due: the newest archive should be more recent.',
      (facts) => ageOf(facts.lastPlanned),
    ),
    ...lastBackupMetrics(each),
    each(
      'repository_last_verified_restore_timestamp',
      'End of the last restore drill that passed, in Unix seconds.',
      ({ drills }) => unixSeconds(drills?.passed_at),
    ),
    each(
      'repository_drill_coverage_percent',
      'Percent of the bytes of the archive drilled last that were tested in the last 90 days.',
      ({ drills }) => coveragePercent(drills?.coverage ?? null, now),
    ),
    each(
      'repository_drill_failed',
      'Whether the last restore drill that had a result failed: 1 yes, 0 no.',
      ({ drills }) => drills && Number(drills.failed_at !== null),
    ),
  ];
}

type Each = (
  name: string,
  help: string,
  value: (facts: RepositoryFacts) => number | null | undefined,
) => Metric;

const lastBackupMetrics = (each: Each): Metric[] => [
  each(
    'backup_last_job_success',
    'Whether the last completed or failed backup job created an archive: 1 yes, 0 no.',
    ({ figures }) => figures.last.backup && Number(figures.last.backup.success),
  ),
  each(
    'backup_last_duration_seconds',
    'Duration of the last backup job that was started.',
    ({ figures }) => figures.last.backup?.begun?.seconds,
  ),
  each(
    'backup_last_original_size_bytes',
    'Original size of the last backup.',
    ({ figures }) => figures.last.backup?.good?.originalSize,
  ),
  each(
    'backup_last_deduplicated_size_bytes',
    'Bytes that the last backup added.',
    ({ figures }) => figures.last.backup?.good?.deduplicatedSize,
  ),
  each(
    'repository_last_restore_timestamp',
    'End of the last restore that restored everything requested without a warning, in Unix seconds.',
    ({ figures }) => unixSeconds(figures.last.restore?.clean?.endedAt),
  ),
  each(
    'repository_last_check_success',
    'Whether the last check job that was not cancelled passed, including partial checks and repairs: 1 yes, 0 no.',
    ({ figures: { last } }) => last.check?.judged && Number(last.check.judged.success),
  ),
];

/** The protection of each repository, as in `/api/system/protection`. */
export function protectionMetrics({ repositories }: MetricFacts): Metric[] {
  return [
    metric(
      'repository_protection',
      'Whether a repository is protected, late or unknown: 1 for its current state, otherwise 0.',
      ['repository', 'state'],
      repositories.flatMap(({ row, protection }) =>
        protectionStates.map((state) =>
          sample({ repository: row.name, state }, Number(protection.state === state)),
        ),
      ),
    ),
    metric(
      'repository_archive_age_limit_seconds',
      'Age limit of the newest archive, from the repository or its schedules.',
      ['repository'],
      repositories.map(({ row, protection: { promise } }) =>
        sample({ repository: row.name }, promise && promise.ageMs / 1000),
      ),
    ),
    metric(
      'repository_protected_until_timestamp',
      'When the newest archive becomes or became too old, in Unix seconds.',
      ['repository'],
      repositories.map(({ row, protection: { until } }) =>
        sample({ repository: row.name }, unixSeconds(until)),
      ),
    ),
    metric(
      'repository_damaged',
      'Whether a check found damage and no full one has passed since: 1 yes, 0 no.',
      ['repository'],
      repositories.map(({ row, figures, protection: { damaged } }) =>
        sample({ repository: row.name }, figures.last.check ? Number(damaged) : null),
      ),
    ),
  ];
}
