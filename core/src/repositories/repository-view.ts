import type { RepositoryView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { humanSize } from '../kernel/human-size.rules.js';
import { isRemoteLocation } from '../ssh/remote-location.rules.js';
import { textFor } from '../hooks/script.rules.js';
import type { RepositoryRow, SshConnectionRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

export interface RepositoryFacts {
  /** A check, compact or prune job of it runs. */
  maintained: boolean;
  /** Every connection there is, by its id. */
  connections: ReadonlyMap<number, SshConnectionRow>;
}

export const repositoryView = (
  row: RepositoryRow,
  { maintained, connections }: RepositoryFacts,
): RepositoryView => ({
  id: row.id,
  name: row.name,
  path: row.path,
  encryption: row.encryption,
  compression: row.compression,
  source_directories: row.source_directories,
  exclude_patterns: row.exclude_patterns,
  repository_type: isRemoteLocation(row.path) ? 'ssh' : 'local',
  ...placeOf(connections.get(row.connection_id ?? 0)),
  source_ssh_connection_id: connections.get(row.source_connection_id ?? 0)?.id ?? null,
  remote_path: row.remote_path,
  last_backup: isoTime(row.last_backup),
  last_check: isoTime(row.last_check),
  last_compact: isoTime(row.last_compact),
  total_size: row.stored_size === null ? null : humanSize(row.stored_size),
  archive_count: row.archive_count,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
  pre_backup_script: row.pre_backup_script,
  post_backup_script: row.post_backup_script,
  hook_timeout: row.hook_timeout,
  pre_hook_timeout: row.pre_hook_timeout,
  post_hook_timeout: row.post_hook_timeout,
  continue_on_hook_failure: row.continue_on_hook_failure,
  mode: row.mode,
  bypass_lock: row.bypass_lock,
  custom_flags: row.custom_flags,
  freshness_hours: row.freshness_hours,
  shrink_warning_percent: row.shrink_warning_percent,
  has_running_maintenance: maintained,
  has_keyfile: row.key_file !== null,
  open_error: row.open_error,
  open_error_at: isoTime(row.open_error_at),
});

const placeOf = (connection: SshConnectionRow | undefined) => ({
  host: connection?.host ?? null,
  port: connection?.port ?? null,
  username: connection?.username ?? null,
  ssh_key_id: connection?.ssh_key_id ?? null,
  connection_id: connection?.id ?? null,
});

/** As this caller sees it. */
export const repositoryViewFor = (caller: Caller, view: RepositoryView): RepositoryView => ({
  ...view,
  pre_backup_script: view.pre_backup_script && textFor(caller, view.pre_backup_script),
  post_backup_script: view.post_backup_script && textFor(caller, view.post_backup_script),
});
