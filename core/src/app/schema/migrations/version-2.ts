import type { Column, Columns, Entity, SchemaChange, SchemaVersion } from '@holdfast/plugin-api';
import { drillResults, drillSchedules, drillStandings, drills } from '../../../backup/drills/index.js';
import { hookJournals } from '../../../backup/hooks/index.js';
import { checkSchedules, retentionPauses } from '../../../backup/maintenance/index.js';
import { archives, pins, repositories, sourceSets } from '../../../backup/repositories/index.js';
import { schedules, slots } from '../../../backup/schedules/index.js';
import { sshConnections } from '../../../backup/ssh/index.js';
import { jobs } from '../../../engine/jobs/index.js';
import {
  browserSessions,
  challenges,
  downloadTickets,
  identities,
  tokens,
  users,
} from '../../../foundation/accounts/index.js';
import { samples } from '../../../insight/history/index.js';
import { duties, incidents, protectionStates } from '../../../insight/incidents/index.js';
import { deliveries, notificationSettings } from '../../../insight/notifications/index.js';
import { foundRepositories } from '../../../migration/moving-in/index.js';

/** The `columns` that this version adds to an entity, with the definitions of the entity. */
const columnsOf = <C extends Columns>(entity: Entity<C>, ...columns: (keyof C & string)[]): SchemaChange[] =>
  columns.map((column) => ({
    kind: 'add-column',
    entity: entity.name,
    column,
    definition: entity.columns[column] as Column,
  }));

const indexesOf = <C extends Columns>(entity: Entity<C>, ...keys: (keyof C & string)[][]): SchemaChange[] =>
  keys.map((columns) => ({ kind: 'add-index', entity: entity.name, columns, unique: false }));

/** Unique IDs for rows. Plain row numbers are given again after the database is restored from a copy. */
export const version2: SchemaVersion = {
  version: 2,
  name: 'identities',
  changes: [
    ...columnsOf(archives, 'job_id', 'schedule_id', 'lacking', 'unread', 'damaged'),
    ...columnsOf(jobs, 'uid'),
    ...indexesOf(
      jobs,
      ['uid'],
      ['kind', 'status', 'id'],
      ['repository_id', 'id'],
      ['repository_id', 'status', 'id'],
      ['repository_id', 'kind', 'status', 'id'],
      ['schedule_id', 'id'],
      ['schedule_id', 'kind', 'status', 'id'],
      ['schedule_id', 'repository_id', 'kind', 'status', 'id'],
    ),
    ...columnsOf(repositories, 'unfinished_archives', 'sweep_due'),
    ...columnsOf(schedules, 'uid'),
    ...columnsOf(archives, 'partial'),
    ...columnsOf(jobs, 'reported'),
    ...columnsOf(repositories, 'shrink_warning_percent', 'left_out'),
    ...columnsOf(repositories, 'mass_change_percent', 'mass_change_files'),
    ...columnsOf(repositories, 'mass_change', 'mass_change_at'),
    ...columnsOf(notificationSettings, 'apprise_first'),
    ...columnsOf(repositories, 'open_error', 'open_error_kind', 'open_error_at', 'append_only'),
    ...columnsOf(downloadTickets, 'file_paths'),
    { kind: 'create-entity', entity: sourceSets },
    ...columnsOf(repositories, 'source_set_id'),
    ...indexesOf(repositories, ['source_set_id'], ['tool_id']),
    ...columnsOf(repositories, 'removed_at', 'former'),
    ...columnsOf(jobs, 'former_repository_id'),
    ...indexesOf(jobs, ['former_repository_id']),
    { kind: 'create-entity', entity: browserSessions },
    ...columnsOf(tokens, 'session_id', 'grants', 'summary_only'),
    ...columnsOf(users, 'grants', 'restore_paths', 'totp_secret', 'totp_step', 'recovery_codes', 'passkeys'),
    { kind: 'create-entity', entity: identities },
    { kind: 'create-entity', entity: challenges },
    ...indexesOf(tokens, ['session_id']),
    ...columnsOf(schedules, 'prune_keep_within', 'pause_until', 'when', 'retry'),
    ...columnsOf(archives, 'adopted_at', 'former_schedule_id', 'measured_at', 'measure_failures'),
    ...indexesOf(archives, ['schedule_id', 'repository_id', 'start']),
    ...indexesOf(archives, ['original_size', 'measure_failures']),
    { kind: 'create-entity', entity: retentionPauses },
    ...columnsOf(repositories, 'place_free', 'place_total', 'place_at'),
    ...indexesOf(archives, ['job_id', 'start'], ['damaged', 'start']),
    ...indexesOf(slots, ['outcome', 'planned_at'], ['count', 'planned_at']),
    { kind: 'create-entity', entity: samples },
    ...columnsOf(notificationSettings, 'notify_on_backup_warning', 'notify_on_backup_late'),
    ...columnsOf(notificationSettings, 'notify_on_backup_on_time_again', 'notify_on_damaged'),
    ...columnsOf(notificationSettings, 'notify_on_retention_paused', 'notify_on_incident'),
    ...columnsOf(notificationSettings, 'notify_on_report_weekly'),
    ...columnsOf(deliveries, 'incident_id'),
    ...indexesOf(deliveries, ['incident_id']),
    ...indexesOf(deliveries, ['event_id']),
    { kind: 'create-entity', entity: foundRepositories },
    { kind: 'create-entity', entity: incidents },
    { kind: 'create-entity', entity: protectionStates },
    { kind: 'create-entity', entity: duties },
    { kind: 'create-entity', entity: drillSchedules },
    { kind: 'create-entity', entity: drills },
    { kind: 'create-entity', entity: drillResults },
    { kind: 'create-entity', entity: drillStandings },
    // Codes of stored sentences.
    ...columnsOf(repositories, 'tags'),
    ...columnsOf(schedules, 'tags'),
    ...columnsOf(sshConnections, 'name', 'tags'),
    ...columnsOf(jobs, 'error_code', 'error_params', 'waiting_for_code', 'waiting_for_params'),
    ...columnsOf(schedules, 'last_error_code', 'last_error_params'),
    ...columnsOf(slots, 'reason_code', 'reason_params', 'start_after'),
    ...columnsOf(checkSchedules, 'last_error_code', 'last_error_params'),
    ...columnsOf(deliveries, 'last_error_code', 'last_error_params'),
    ...columnsOf(hookJournals, 'refusal_code', 'refusal_params'),
    ...columnsOf(sshConnections, 'error_code', 'error_params', 'sudo', 'jump_connection_id', 'allows'),
    ...columnsOf(repositories, 'self_backup', 'admin_only', 'credentials_at'),
    ...columnsOf(repositories, 'unsigned_archives', 'next_passphrase'),
    ...columnsOf(archives, 'unsigned'),
    ...columnsOf(repositories, 'sources'),
    ...columnsOf(hookJournals, 'sources'),
    ...columnsOf(jobs, 'sources'),
    ...columnsOf(archives, 'sources'),
    { kind: 'create-entity', entity: pins },
    ...columnsOf(sshConnections, 'bandwidth'),
  ],
};
