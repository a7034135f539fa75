import type { VersionedObject } from '@holdfast/contracts';
import type { Entity, StorageBackend, StorageSession } from '@holdfast/plugin-api';
import { getCacheSettings } from '../../backup/archives/index.js';
import { drillSchedules, getDrillSchedule } from '../../backup/drills/index.js';
import { getAttachment, getScript, repositoryScripts, scripts } from '../../backup/hooks/index.js';
import { checkSchedules, getCheckSchedule } from '../../backup/maintenance/index.js';
import { getRepository, getSourceSet, repositories, sourceSets } from '../../backup/repositories/index.js';
import { getPause, getSchedule, schedules } from '../../backup/schedules/index.js';
import { getConnection, getKey, sshConnections, sshKeys } from '../../backup/ssh/index.js';
import { getUser, users } from '../../foundation/accounts/index.js';
import type { Caller, StorageScope } from '../../foundation/kernel/index.js';
import { settings } from '../../foundation/kernel/index.js';
import { getIncident, incidents } from '../../insight/incidents/index.js';
import { getSetting, notificationSettings } from '../../insight/notifications/index.js';
import { selfBackupSettings } from '../../migration/recovery/index.js';
import { assertMatches, type EntityTag, tagOf } from './entity-tag.rules.js';
import type { RequestsNeeds } from './needs.js';
import { preconditionScope } from './precondition-scope.js';

export interface Change {
  kind: VersionedObject;
  caller: Caller;
  ids: PathIds;
  /** The raw `If-Match` header. */
  ifMatch: string | undefined;
  /** Called with the tag of the changed object, before the change is visible to others. */
  onChanged?(tag: EntityTag): void;
}

export const versionsUseCases = (dependencies: RequestsNeeds) => ({
  /** The tag of an answer to GET; without a kind, of one that shows no such object. */
  tagOf: (kind: VersionedObject | undefined, shown: object): EntityTag =>
    tagOf(shown, kind ? versionedObjects[kind].changing : new Set()),

  /**
   * Checks the precondition at once, and again in the transaction that changes the object, where a mismatch
   * rejects the write. Throws AppError `precondition_failed`, `invalid`, `not_found`.
   */
  async whileChanging({ kind, caller, ids, ifMatch, onChanged }: Change): Promise<StorageScope> {
    const { entity, changing, read } = versionedObjects[kind];
    const tagIn = async (session: StorageSession) => {
      // Reading a view needs only a session.
      const storage = session as StorageBackend;
      return tagOf(await read({ ...dependencies, storage }, caller, ids), changing);
    };
    const check =
      ifMatch === undefined
        ? undefined
        : async (session: StorageSession) => assertMatches(ifMatch, await tagIn(session));
    await check?.(dependencies.storage);
    const see = onChanged && (async (session: StorageSession) => onChanged(await tagIn(session)));
    return preconditionScope({ entity, check, ...(see && { see }) });
  },
});

/** Path parameters: every id by its name in the contract. */
type PathIds = Readonly<Record<string, number>>;

interface Versioned {
  /** The entity that a change writes. */
  entity: Entity;
  /** Fields of the answer that the service itself changes. They do not count as edits. */
  changing: ReadonlySet<string>;
  /** Reads what its GET answers, from the given storage. */
  read(needs: RequestsNeeds, caller: Caller, ids: PathIds): Promise<object>;
}

const fields = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const idIn = (ids: PathIds, name: string): number => ids[name] ?? 0;

const versionedObjects: Record<VersionedObject, Versioned> = {
  repository: {
    entity: repositories,
    changing: fields(
      'last_backup last_check last_compact total_size total_size_bytes free_bytes location_total_bytes location_as_of archive_count has_running_maintenance open_error open_error_code open_error_params open_error_at open_error_kind append_only unsigned_archives mass_change',
    ),
    read: (needs, caller, ids) => getRepository(needs, caller, idIn(ids, 'repo_id')),
  },
  schedule: {
    entity: schedules,
    changing: fields(
      'last_run next_run next_runs last_prune last_compact last_error last_error_code last_error_params ' +
        'retention_paused',
    ),
    read: (needs, _caller, ids) => getSchedule(needs, idIn(ids, 'job_id')),
  },
  check_schedule: {
    entity: checkSchedules,
    changing: fields(
      'last_scheduled_check next_scheduled_check last_error last_error_code last_error_params',
    ),
    read: (needs, _caller, ids) => getCheckSchedule(needs, idIn(ids, 'repo_id')),
  },
  drill_schedule: {
    entity: drillSchedules,
    changing: fields(
      'last_run next_run last_error last_error_code last_error_params last_verified_restore coverage_percent',
    ),
    read: (needs, _caller, ids) => getDrillSchedule(needs, idIn(ids, 'repo_id')),
  },
  notification: {
    entity: notificationSettings,
    changing: fields('last_used_at'),
    read: (needs, caller, ids) => getSetting(needs, caller, idIn(ids, 'setting_id')),
  },
  script: {
    entity: scripts,
    changing: fields('usage_count repositories schedules recent_executions'),
    read: (needs, caller, ids) => getScript(needs, caller, idIn(ids, 'script_id')),
  },
  source_set: {
    entity: sourceSets,
    changing: fields('repositories'),
    read: (needs, _caller, ids) => getSourceSet(needs, idIn(ids, 'source_set_id')),
  },
  attachment: {
    entity: repositoryScripts,
    changing: fields('script_name script_description default_timeout default_run_on'),
    read: (needs, caller, ids) => {
      const key = { repositoryId: idIn(ids, 'repo_id'), attachmentId: idIn(ids, 'attachment_id') };
      return getAttachment(needs, caller, key);
    },
  },
  connection: {
    entity: sshConnections,
    changing: fields(
      'status allows last_test last_success error_message error_code error_params offered_host_key_fingerprint storage ' +
        'ssh_key_name',
    ),
    read: (needs, _caller, ids) => getConnection(needs, idIn(ids, 'connection_id')),
  },
  incident: {
    entity: incidents,
    changing: fields('messages attempts reason recovered_at recovery open'),
    read: (needs, _caller, ids) => getIncident(needs)(idIn(ids, 'incident_id')),
  },
  ssh_key: {
    entity: sshKeys,
    changing: fields('connections connection_count active_connections'),
    read: (needs, _caller, ids) => getKey(needs, idIn(ids, 'key_id')),
  },
  cache_settings: {
    entity: settings,
    changing: new Set(),
    read: (needs) => getCacheSettings(needs),
  },
  schedule_pause: {
    entity: settings,
    changing: new Set(),
    read: (needs) => getPause(needs),
  },
  self_backup: {
    entity: schedules,
    changing: fields('last_backup_at next_run last_error suggested_path same_disk warnings'),
    read: ({ storage }) => selfBackupSettings(storage),
  },
  user: {
    entity: users,
    changing: fields('last_login'),
    read: (needs, _caller, ids) => getUser(needs, idIn(ids, 'id')),
  },
};
