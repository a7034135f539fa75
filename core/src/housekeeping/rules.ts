import { sweepEvents } from '../events/sweep-events.js';
import {
  removeClosedJournals,
  removeDeadInstances,
  removeExpiredKeys,
  removeExpiredTickets,
  removeExpiredTokens,
  removeLeftMakings,
  removeOldDeliveries,
  removeOldPlans,
} from './remove-expired.js';
import { removeOldLogs } from './remove-job-logs.js';
import { removeOldJobs } from './remove-jobs.js';
import { removeOldRuns, removeOldScriptRuns } from './remove-runs.js';
import { dayMs, type Sweep } from './sweep.js';

/** What is removed, in the order of a round. A rule may answer up to where it came: its next turn is told. */
export const rules = {
  'expired tokens': removeExpiredTokens,
  'expired download tickets': removeExpiredTickets,
  'expired answers': removeExpiredKeys,
  'repositories left half made': removeLeftMakings,
  'dead instances': removeDeadInstances,
  'old restore plans': removeOldPlans,
  'closed hook journals': removeClosedJournals,
  'old job logs': removeOldLogs,
  'old script runs': removeOldScriptRuns,
  'old deliveries': removeOldDeliveries,
  'old events': (sweep: Sweep) => sweepEvents(sweep, sweep.retention.eventDays * dayMs)(sweep.going),
  'old runs of schedules': removeOldRuns,
  'old jobs': removeOldJobs,
  'old entries of the audit trail': ({ sweepAudit }: Sweep) => sweepAudit(),
} satisfies Record<string, (sweep: Sweep) => Promise<unknown>>;
export type RuleName = keyof typeof rules;
