import { posix } from 'node:path';
import type { ConnectionView, RemoteItem, RemoteStorage, SshKeyView } from '@holdfast/contracts';
import {
  clientSize,
  escapeName,
  hasUndecodable,
  isoTime,
  shownParams,
} from '../../foundation/kernel/index.js';
import type { RemoteEntry } from '../../foundation/ports/remote-host.js';
import type { StoredUsage } from './ssh.rules.js';
import { hostKeyFingerprint } from './ssh.rules.js';
import type { SshConnectionRow, SshKeyRow } from './tables.js';

export const sshKeyView = (row: SshKeyRow, connections: readonly SshConnectionRow[]): SshKeyView => {
  const own = connections.filter(({ ssh_key_id }) => ssh_key_id === row.id);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    key_type: row.key_type,
    public_key: row.public_key,
    fingerprint: row.fingerprint,
    is_system_key: true,
    is_active: row.is_active,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    connection_count: own.length,
    active_connections: own.filter(({ status }) => status === 'connected').length,
  };
};

/** `key`: the system key, even if the connection uses another one. */
export const connectionView = (row: SshConnectionRow, key: SshKeyRow | null): ConnectionView => ({
  id: row.id,
  ssh_key_id: row.ssh_key_id,
  ssh_key_name: key !== null && row.ssh_key_id === key.id ? key.name : null,
  name: row.name,
  tags: row.tags,
  host: row.host,
  username: row.username,
  port: row.port,
  use_sftp_mode: row.use_sftp_mode,
  default_path: row.default_path,
  ssh_path_prefix: row.ssh_path_prefix,
  mount_point: row.mount_point,
  trusted: row.trusted,
  sudo: row.sudo,
  jump_connection_id: row.jump_connection_id,
  bandwidth: row.bandwidth,
  allows: row.allows,
  status: row.status,
  last_test: isoTime(row.last_test),
  last_success: isoTime(row.last_success),
  error_message: row.error_message,
  error_code: row.error_code,
  error_params: shownParams(row.error_params),
  host_key_fingerprint: fingerprintOf(row.host_key),
  offered_host_key_fingerprint: fingerprintOf(row.offered_host_key),
  storage: row.storage === null ? null : storageView(row.storage),
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

const fingerprintOf = (hostKey: string | null) => (hostKey === null ? null : hostKeyFingerprint(hostKey));

export const storageView = ({
  total,
  used,
  available,
  percentUsed,
  checkedAt,
}: StoredUsage): RemoteStorage => ({
  total,
  used,
  available,
  total_formatted: clientSize(total),
  used_formatted: clientSize(used),
  available_formatted: clientSize(available),
  percent_used: percentUsed,
  last_check: isoTime(checkedAt),
});

export const remoteItemView = (entry: RemoteEntry, folder: string): RemoteItem => ({
  name: escapeName(entry.name),
  ...(hasUndecodable(entry.name) ? { name_escaped: true as const } : {}),
  path: escapeName(posix.join(folder, entry.name)),
  type: entry.type,
  is_directory: entry.type === 'directory',
  size: entry.size,
  modified: isoTime(entry.modified),
  permissions: entry.mode === null ? null : (entry.mode & 0o7777).toString(8).padStart(3, '0'),
});
