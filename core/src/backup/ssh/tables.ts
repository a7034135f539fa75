import type { Bandwidth } from '@holdfast/contracts';
import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { MessageParams } from '../../foundation/kernel/index.js';
import type { SshKeyType } from '../../foundation/ports/key-tool.js';
import type { Allowed } from '../../foundation/ports/remote-host.js';
import type { ConnectionStatus, StoredUsage } from './ssh.rules.js';

/** The system key: at most one row, with `slot` 1. */
export const sshKeys = entity(
  'ssh_key',
  {
    id: col.id(),
    slot: col.integer.default(1),
    /** Part of the purpose of its envelope. */
    uid: col.text().required(),
    name: col.text().required(),
    description: col.text().nullable(),
    key_type: col.text<SshKeyType>().required(),
    public_key: col.text().required(),
    fingerprint: col.text().required(),
    private_key: sealed('ssh-key:{uid}', col.text().required()),
    is_active: col.boolean.default(true),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['slot']] },
);

/** Accounts on remote hosts that are reached with the system key. */
export const sshConnections = entity(
  'ssh_connection',
  {
    id: col.id(),
    /** Null after the key was deleted. */
    ssh_key_id: col.integer.nullable(),
    host: col.text().required(),
    port: col.integer.required(),
    username: col.text().required(),
    /** For display, instead of the address. */
    name: col.text().nullable(),
    tags: col.json<string[]>().default([]),
    use_sftp_mode: col.boolean.default(true),
    default_path: col.text().default('/'),
    /** Prefix for paths in SSH locations of repositories. */
    ssh_path_prefix: col.text().nullable(),
    /** For display only. */
    mount_point: col.text().nullable(),
    /** Borg on this host may be used for pull backups. */
    trusted: col.boolean.default(false),
    /** The files of this host are read as root, through sudo. */
    sudo: col.boolean.default(false),
    /** The connection through which this host is reached. */
    jump_connection_id: col.integer.nullable(),
    bandwidth: col.json<Bandwidth>().nullable(),
    /** What the key may run there, as of the last test that signed in. */
    allows: col.text<Allowed>().nullable(),
    status: col.text<ConnectionStatus>().required(),
    last_test: col.timestamp.nullable(),
    last_success: col.timestamp.nullable(),
    error_message: col.text().nullable(),
    error_code: col.text().nullable(),
    error_params: col.json<MessageParams>().nullable(),
    /** Pinned host key, `type base64`; null until the first connection. */
    host_key: col.text().nullable(),
    /** Another key that the host showed, waiting for an administrator to accept it. */
    offered_host_key: col.text().nullable(),
    storage: col.json<StoredUsage>().nullable(),
    created_at: col.timestamp.required(),
    updated_at: col.timestamp.required(),
  },
  { unique: [['host', 'port', 'username']], indexes: [['ssh_key_id']] },
);

export type SshKeyRow = RowOf<typeof sshKeys>;

export type SshConnectionRow = RowOf<typeof sshConnections>;
