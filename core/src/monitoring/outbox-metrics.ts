import { type Metric, metric, sample } from './metric.rules.js';
import type { MetricFacts } from './metric-facts.js';

/** The metrics of notifications that are still to be sent. */
export function outboxMetrics({ outbox, now }: MetricFacts): Metric[] {
  const of = (status: string) => outbox.find((group) => group.status === status);
  const oldest = of('pending')?.oldest ?? null;
  return [
    metric(
      'outbox_pending',
      'Notifications that wait to be delivered, without those that gather more of their kind.',
      [],
      [sample({}, of('pending')?.count ?? 0)],
    ),
    metric(
      'outbox_oldest_seconds',
      'How long the oldest notification waits to be delivered.',
      [],
      [sample({}, oldest === null ? null : Math.max(0, now - oldest) / 1000)],
    ),
    metric(
      'outbox_parked',
      'Notifications that were given up and can be sent again by hand.',
      [],
      [sample({}, of('parked')?.count ?? 0)],
    ),
  ];
}
