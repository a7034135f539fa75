import { incidentCause } from '@holdfast/contracts';
import { type Metric, metric, sample } from './metric.rules.js';
import type { MetricFacts } from './metric-facts.js';

/** The metrics of repositories and schedules as a whole. */
export function scheduleMetrics({ schedules, repositories, checks, now }: MetricFacts): Metric[] {
  const enabled = schedules.filter((schedule) => schedule.enabled);
  return [
    metric('ui_repositories_total', 'Registered repositories.', [], [sample({}, repositories.length)]),
    metric('ui_scheduled_jobs_total', 'Schedules.', [], [sample({}, schedules.length)]),
    metric('ui_scheduled_jobs_enabled', 'Enabled schedules.', [], [sample({}, enabled.length)]),
    metric(
      'schedule_last_lateness_seconds',
      'Delay of the last run of a schedule.',
      ['schedule'],
      schedules.map(({ name, last_late_ms }) =>
        sample({ schedule: name }, last_late_ms === null ? null : last_late_ms / 1000),
      ),
    ),
    metric(
      'schedule_overdue_seconds',
      'How long the next run of a schedule has been overdue.',
      ['schedule'],
      enabled.map(({ name, next_run }) => sample({ schedule: name }, overdue(next_run, now))),
    ),
    metric(
      'repository_check_overdue_seconds',
      'How long the next scheduled check has been overdue.',
      ['repository'],
      repositories.map(({ row: { id, name } }) => {
        const planned = checks.get(id);
        return sample({ repository: name }, planned?.enabled ? overdue(planned.next_run, now) : null);
      }),
    ),
  ];
}

const overdue = (planned: number | null, now: number): number | null =>
  planned === null ? null : Math.max(0, now - planned) / 1000;

/** The metrics of notifications that are still to be sent. */
export function outboxMetrics({ outbox, now }: MetricFacts): Metric[] {
  const of = (status: string) => outbox.find((group) => group.status === status);
  const oldest = of('pending')?.oldest ?? null;
  return [
    metric(
      'outbox_pending',
      'Notifications that wait for delivery, without those that still collect more failures.',
      [],
      [sample({}, of('pending')?.count ?? 0)],
    ),
    metric(
      'outbox_oldest_seconds',
      'How long the oldest notification has been waiting for delivery.',
      [],
      [sample({}, oldest === null ? null : Math.max(0, now - oldest) / 1000)],
    ),
    metric(
      'outbox_parked',
      'Undelivered notifications, which can be resent manually.',
      [],
      [sample({}, of('parked')?.count ?? 0)],
    ),
  ];
}

/** Open incidents, and whether the monitor of HEARTBEAT_URL could be asked. */
export function incidentMetrics({ incidents, heartbeat }: MetricFacts): Metric[] {
  const countOf = (cause: string) => incidents.find((group) => group.cause === cause)?.count ?? 0;
  return [
    metric(
      'incidents_open',
      'Open incidents.',
      ['cause'],
      incidentCause.options.map((cause) => sample({ cause }, countOf(cause))),
    ),
    metric(
      'heartbeat_success',
      'Whether the monitor of HEARTBEAT_URL accepted the last heartbeat: 1 yes, 0 no.',
      [],
      [sample({}, heartbeat && Number(heartbeat.problem === null))],
    ),
  ];
}
