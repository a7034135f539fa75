import type { RuleName } from './rules.js';

/** What keeps a table from growing without end. */
export type TableBound =
  /** The housekeeping removes its rows. */
  | { removedBy: RuleName }
  /** Its rows come and go with those of another table. */
  | { with: string }
  /** People make its rows, one call each, and see them and can remove them. */
  | { madeBy: 'people' }
  /** It holds so many rows at most. */
  | { rows: 'one' | 'one for each rule' | 'one for each key' }
  /** It says what is in the repositories, no more. */
  | { mirrors: 'archives of the repositories' };

/** Every table has to say what bounds it, by its name. */
export const tableBounds: Readonly<Record<string, TableBound>> = {
  setting: { rows: 'one for each key' },
  user: { madeBy: 'people' },
  token: { removedBy: 'expired tokens' },
  download_ticket: { removedBy: 'expired download tickets' },
  repository: { madeBy: 'people' },
  archive: { mirrors: 'archives of the repositories' },
  job: { removedBy: 'old jobs' },
  job_figures: { with: 'repository' },
  job_log: { removedBy: 'old job logs' },
  lane: { with: 'repository' },
  event: { removedBy: 'old events' },
  schedule: { madeBy: 'people' },
  check_schedule: { with: 'repository' },
  schedule_repository: { with: 'schedule' },
  slot: { removedBy: 'old runs of schedules' },
  ssh_key: { rows: 'one' },
  ssh_connection: { madeBy: 'people' },
  restore_plan: { removedBy: 'old restore plans' },
  restore_run: { with: 'job' },
  restore_manifest: { with: 'job' },
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
};
