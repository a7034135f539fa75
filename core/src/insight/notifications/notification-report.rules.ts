import { humanSize } from '../../foundation/kernel/index.js';
import type { WeeklyReport } from './notification-facts.rules.js';

/** Some services cut long messages. */
const maxNextSteps = 10;

/** The rows of a weekly report. */
export function reportRows(report: WeeklyReport): [label: string, value: string][] {
  const { repositories: found, runs, growth } = report;
  const steps = report.next_steps.slice(0, maxNextSteps);
  const more = report.open_incidents - steps.length;
  const damaged = found.damaged > 0 ? `, ${found.damaged} damaged` : '';
  return [
    ['Repositories', `${found.protected} protected, ${found.late} late, ${found.unknown} unknown${damaged}`],
    ['Scheduled runs', `${runs.ran} of ${runs.planned} ran, ${runs.failed} failed`],
    ['Growth', `${humanSize(growth.bytes)} in ${growth.archives} archives`],
    ...proof('Oldest full check', report.oldest_check),
    ...proof('Oldest complete restore', report.oldest_restore),
    [
      'Next steps',
      steps.length === 0
        ? 'none'
        : [...steps, ...(more > 0 ? [`and ${more} more in Holdfast`] : [])]
            .map((step) => `\n• ${step}`)
            .join(''),
    ],
  ];
}

const proof = (label: string, oldest: WeeklyReport['oldest_check']): [string, string][] =>
  oldest ? [[label, `${oldest.repository}: ${oldest.at?.slice(0, 10) ?? 'never'}`]] : [];
