import { isStoreError, type StorageBackend } from '@holdfast/plugin-api';
import { evidenceKeptMs, removeOldEvidence } from '../../backup/drills/index.js';
import { sweepEvents } from '../../foundation/events/index.js';
import { thinSamples } from '../../insight/history/index.js';
import { eventsWithMessages } from '../../insight/notifications/index.js';
import {
  removeAbandonedRegistrations,
  removeClosedJournals,
  removeDeadInstances,
  removeExpiredBrowserSessions,
  removeExpiredChallenges,
  removeExpiredKeys,
  removeExpiredPins,
  removeExpiredTickets,
  removeExpiredTokens,
  removeOldDeliveries,
  removeOldIncidents,
  removeOldPlans,
  removeOldRegistrations,
} from './remove-expired.js';
import { removeOldJobs, removeOldLogs, removeOldRuns, removeOldScriptRuns } from './remove-jobs.js';
import { dayMs, type Sweep } from './sweep.js';
import { type HousekeepingRow, housekeeping } from './tables.js';

/**
 * The rules, in the order of a round. A rule may return how far it got; its next turn receives that as
 * `place`.
 */
export const rules = {
  'expired tokens': removeExpiredTokens,
  'expired download tickets': removeExpiredTickets,
  'expired steps of sign-ins': removeExpiredChallenges,
  'expired browser sessions': removeExpiredBrowserSessions,
  'expired answers': removeExpiredKeys,
  'expired pins': removeExpiredPins,
  'registrations removed long ago': removeOldRegistrations,
  'repositories left half made': removeAbandonedRegistrations,
  'dead instances': removeDeadInstances,
  'old restore plans': removeOldPlans,
  'closed hook journals': removeClosedJournals,
  'old job logs': removeOldLogs,
  'old script runs': removeOldScriptRuns,
  'old deliveries': removeOldDeliveries,
  'old incidents': removeOldIncidents,
  'old events': (sweep: Sweep) =>
    sweepEvents(sweep, eventsWithMessages, sweep.retention.eventDays * dayMs)(sweep.going),
  'old runs of schedules': removeOldRuns,
  'old jobs': removeOldJobs,
  'old samples': thinSamples,
  'old evidence of drills': ({ storage, clock, going }: Sweep) =>
    removeOldEvidence(storage, clock.now() - evidenceKeptMs, going),
  'old entries of the audit trail': ({ sweepAudit }: Sweep) => sweepAudit(),
} satisfies Record<string, (sweep: Sweep) => Promise<unknown>>;
export type RuleName = keyof typeof rules;

/**
 * Takes the turn of a rule. Returns its row, or null when it is not due or another process was faster. There
 * is no lease: the rule is due again after `every` milliseconds, whether or not the turn was completed.
 */
export async function takeRule(
  storage: StorageBackend,
  { rule, now, every }: { rule: string; now: number; every: number },
): Promise<HousekeepingRow | null> {
  const due_at = now + every;
  const [row] = await storage.find(housekeeping, { where: { rule }, limit: 1 });
  if (!row) {
    return storage.insert(housekeeping, { rule, due_at }).catch((error: unknown) => {
      if (isStoreError(error, 'unique')) return null;
      throw error;
    });
  }
  // A due date further ahead than any turn could set comes from a clock that was ahead.
  if (row.due_at > now && row.due_at <= due_at) return null;
  const taken = await storage.update(housekeeping, { id: row.id, due_at: row.due_at }, { due_at });
  return taken === 1 ? row : null;
}

/** What keeps a table from growing without limit. */
export type TableBound =
  /** The housekeeping removes its rows. */
  | { removedBy: RuleName }
  /** Its rows come and go with those of another table. */
  | { with: string }
  /** Users create its rows one by one, and can see and remove them. */
  | { madeBy: 'people' }
  /** It has at most this many rows. */
  | { rows: 'one' | 'one for each rule' | 'one for each key' }
  /** It mirrors what is in the repositories. */
  | { mirrors: 'archives of the repositories' };

/** The bound of each table, by name. Every table must have one. */
export const tableBounds: Readonly<Record<string, TableBound>> = {
  setting: { rows: 'one for each key' },
  user: { madeBy: 'people' },
  token: { removedBy: 'expired tokens' },
  identity: { madeBy: 'people' },
  sign_in_challenge: { removedBy: 'expired steps of sign-ins' },
  browser_session: { removedBy: 'expired browser sessions' },
  download_ticket: { removedBy: 'expired download tickets' },
  repository: { removedBy: 'registrations removed long ago' },
  source_set: { madeBy: 'people' },
  archive: { mirrors: 'archives of the repositories' },
  pin: { removedBy: 'expired pins' },
  job: { removedBy: 'old jobs' },
  job_figures: { with: 'repository' },
  job_log: { removedBy: 'old job logs' },
  lane: { with: 'repository' },
  event: { removedBy: 'old events' },
  schedule: { madeBy: 'people' },
  check_schedule: { with: 'repository' },
  schedule_repository: { with: 'schedule' },
  retention_pause: { with: 'schedule' },
  slot: { removedBy: 'old runs of schedules' },
  ssh_key: { rows: 'one' },
  ssh_connection: { madeBy: 'people' },
  restore_plan: { removedBy: 'old restore plans' },
  restore_run: { with: 'job' },
  restore_manifest: { with: 'job' },
  found_repository: { with: 'job' },
  notification_setting: { madeBy: 'people' },
  notification_repository: { with: 'notification_setting' },
  delivery: { removedBy: 'old deliveries' },
  script: { madeBy: 'people' },
  repository_script: { with: 'repository' },
  hook_journal: { removedBy: 'closed hook journals' },
  script_run: { removedBy: 'old script runs' },
  instance: { removedBy: 'dead instances' },
  storage_move: { rows: 'one' },
  idempotency_key: { removedBy: 'expired answers' },
  repository_making: { removedBy: 'repositories left half made' },
  event_sequence: { rows: 'one' },
  housekeeping: { rows: 'one for each rule' },
  audit_entry: { removedBy: 'old entries of the audit trail' },
  audit_head: { rows: 'one' },
  repository_sample: { removedBy: 'old samples' },
  incident: { removedBy: 'old incidents' },
  protection_state: { with: 'repository' },
  duty: { rows: 'one for each key' },
  drill_schedule: { with: 'repository' },
  drill: { removedBy: 'old evidence of drills' },
  drill_result: { with: 'drill' },
  drill_standing: { with: 'repository' },
};
