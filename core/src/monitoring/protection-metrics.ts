import { type Metric, metric, sample, unixSeconds } from './metric.rules.js';
import { protectionStates } from './protection.rules.js';
import type { MetricFacts } from './metric-facts.js';

/** Whether each repository is protected: what `/api/system/protection` says. */
export function protectionMetrics({ repositories }: MetricFacts): Metric[] {
  return [
    metric(
      'repository_protection',
      'Whether a repository is protected, late or unknown: 1 for the state that it is in, else 0.',
      ['repository', 'state'],
      repositories.flatMap(({ row, protection }) =>
        protectionStates.map((state) =>
          sample({ repository: row.name, state }, Number(protection.state === state)),
        ),
      ),
    ),
    metric(
      'repository_archive_age_limit_seconds',
      'How old the newest archive may be, by the objective or else by the schedules.',
      ['repository'],
      repositories.map(({ row, protection: { promise } }) =>
        sample({ repository: row.name }, promise && promise.ageMs / 1000),
      ),
    ),
    metric(
      'repository_protected_until_timestamp',
      'When the newest archive is or was too old, in Unix seconds.',
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
