import { z } from 'zod';
import { id, nameText, timestamp } from '../common.js';
import * as field from './fields.js';
import { clockTime, newTimezone } from './schedule-fields.js';
import { errorCode } from './sentence.js';
import {
  description,
  expectedFingerprint,
  fingerprint,
  fingerprintExample,
  host,
  keyType,
  line,
  passphrase,
  password,
  port,
  prefix,
  remotePath,
  restrict,
  sshKeyType,
  text,
  username,
} from './ssh-fields.js';

const keyName = nameText.openapi({ example: 'System key' });
export const newSshKey = z.object({ name: keyName, key_type: keyType, description });
export const sshKeyChanges = z
  .object({
    name: nameText.optional(),
    description,
    is_active: z
      .boolean()
      .optional()
      .openapi({ description: 'A disabled key is not used for any connection.' }),
  })
  .openapi({ example: { name: 'Key of the nas' } });
const keyFile = line(4096).refine((path) => path.startsWith('/'), 'must be an absolute path');
export const sshKeyToImport = z.object({
  name: keyName,
  private_key_path: keyFile.openapi({ description: 'OpenSSH or PEM.', example: '/root/.ssh/id_ed25519' }),
  public_key_path: keyFile.optional().openapi({
    description:
      'Must match the private key. Default: the private key path plus `.pub`, if that file exists.',
  }),
  passphrase,
  description,
});
const keyText = z.string().max(65_536, 'must have at most 65536 characters');
export const sshKeyText = z.object({
  name: keyName,
  private_key: keyText.openapi({
    format: 'password',
    description: 'OpenSSH or PEM. Never returned.',
    example: '-----BEGIN OPENSSH PRIVATE KEY-----\n…',
  }),
  public_key: keyText.optional(),
  passphrase,
  description,
});

/** How the account is used, in addition to its address. */
const usage = {
  default_path: remotePath.optional(),
  ssh_path_prefix: prefix.nullable().optional(),
  mount_point: text(255).nullable().optional(),
};
const jump = id
  .nullable()
  .optional()
  .openapi({
    description:
      'Administrators only: the connection through which this host is reached, like `ProxyJump` of ssh. Its host key ' +
      'must be pinned.',
  });
const sftpMode = z.boolean().openapi({
  description: 'True: copy the key over SFTP. False: copy it with shell commands on the host.',
});

export const quickSetup = newSshKey.extend({
  host: host.optional(),
  username: username.optional(),
  port: port.default(22),
  password: password.optional(),
  skip_deployment: z.boolean().default(false).openapi({ description: 'Only generate the key.' }),
  use_sftp_mode: sftpMode.default(true),
  host_key_fingerprint: expectedFingerprint,
  restrict,
  ...usage,
});
export const keyDeployment = z.object({
  host,
  username,
  port: port.default(22),
  password,
  use_sftp_mode: sftpMode.default(true),
  jump_connection_id: jump,
  host_key_fingerprint: expectedFingerprint,
  restrict,
  ...usage,
});
export const connectionToTest = z.object({
  host,
  username,
  port: port.default(22),
  jump_connection_id: jump,
  host_key_fingerprint: expectedFingerprint,
});
export const keyRedeployment = z.object({ password, restrict });
export const hostKeyAcceptance = z.object({ fingerprint });
const connectionName = nameText
  .nullable()
  .optional()
  .openapi({ description: 'For display instead of the address.', example: 'Cellar' });

const bytesPerSecond = z
  .number()
  .int()
  .min(10_000, 'must be at least 10000')
  .max(100_000_000_000, 'must be at most 100000000000')
  .nullable()
  .openapi({ description: 'Both directions together. Null: unlimited.', example: 1_000_000 });
const limitHours = z
  .object({
    from: clockTime,
    to: clockTime.openapi({
      description: 'Not included. Before `from`: on the next day.',
      example: '18:00',
    }),
    bytes_per_second: bytesPerSecond,
  })
  .refine(({ from, to }) => from !== to, { message: 'must differ from `from`', path: ['to'] });
export const bandwidth = z.object({
  bytes_per_second: bytesPerSecond.openapi({ description: 'Outside the hours. Null: unlimited.' }),
  hours: z.array(limitHours).max(20).default([]).openapi({ description: 'The first match counts.' }),
  timezone: newTimezone
    .refine(isZone, 'must be a time zone such as Europe/Berlin')
    .openapi({ description: 'IANA name of the time zone of the hours. Default: the time zone of Holdfast.' }),
});
export type Bandwidth = z.infer<typeof bandwidth>;
const limitText = { description: 'Limit of everything that is transferred over the connection. Null: none.' };
const limitView = bandwidth
  .extend({ hours: z.array(limitHours), timezone: field.zoneName })
  .nullable()
  .openapi(limitText);

export const connectionChanges = z.object({
  host: host.optional(),
  username: username.optional(),
  port: port.optional(),
  use_sftp_mode: sftpMode.optional(),
  jump_connection_id: jump,
  trusted: z.boolean().optional().openapi({
    description: 'Administrators only: Borg on this host may be used for pull backups.',
  }),
  sudo: z
    .boolean()
    .optional()
    .openapi({
      description:
        'Pull backups, preflight and browsing read files of this host as root, through `sudo -n`. The host must let the ' +
        'user run `sh` without a password.',
    }),
  ...usage,
  bandwidth: bandwidth.nullable().optional().openapi(limitText),
  name: connectionName,
  tags: field.tags.optional(),
});

const keyFields = {
  id,
  name: z.string().openapi({ example: 'System key' }),
  description: z.string().nullable(),
  key_type: sshKeyType,
  public_key: z.string().openapi({
    example: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExampleOfAPublicKeyThatOpensNothing holdfast',
  }),
  fingerprint: z.string().openapi({ example: fingerprintExample }),
  is_system_key: z.boolean().openapi({ example: true }),
  is_active: z.boolean().openapi({ example: true }),
  created_at: timestamp,
  updated_at: timestamp,
  connection_count: z.number().int(),
  active_connections: z.number().int(),
};
export const sshKeyView = z.object(keyFields);

export const connectionStatus = z
  .enum(['unknown', 'testing', 'connected', 'failed', 'host_key_changed'])
  .openapi({ example: 'connected' });
export const allowed = z.enum(['commands', 'borg_serve', 'nothing']).openapi({
  description:
    'Commands that the key may run on the host, as of the last test: `borg_serve` is enough for ' +
    'repositories, but not for browsing, storage usage and pull backups. Null before the first test.',
});
export const remoteStorage = z.object({
  total: z.number().int().openapi({ example: 1_000_000_000_000 }),
  used: z.number().int().openapi({ example: 600_000_000_000 }),
  available: z.number().int().openapi({ example: 400_000_000_000 }),
  total_formatted: z.string().openapi({ example: '931.32 GB' }),
  used_formatted: z.string().openapi({ example: '558.79 GB' }),
  available_formatted: z.string().openapi({ example: '372.53 GB' }),
  percent_used: z.number().openapi({ example: 60 }),
  last_check: timestamp,
});
export const connectionView = z.object({
  id,
  ssh_key_id: id.nullable().openapi({ example: 1 }),
  ssh_key_name: z.string().nullable(),
  name: z.string().nullable().openapi({ example: 'Cellar' }),
  tags: field.tagsView,
  host: z.string().openapi({ example: 'storage.example.org' }),
  username: field.accountName,
  port: z.number().int().openapi({ example: 22 }),
  use_sftp_mode: z.boolean(),
  default_path: z.string().openapi({ example: '/backups' }),
  ssh_path_prefix: z.string().nullable(),
  mount_point: z.string().nullable(),
  trusted: z.boolean(),
  sudo: z.boolean(),
  jump_connection_id: id.nullable(),
  bandwidth: limitView,
  allows: allowed.nullable(),
  status: connectionStatus,
  last_test: timestamp.nullable(),
  last_success: timestamp.nullable(),
  error_message: z.string().nullable(),
  ...errorCode,
  host_key_fingerprint: z.string().nullable().openapi({ example: fingerprintExample }),
  offered_host_key_fingerprint: z.string().nullable(),
  storage: remoteStorage.nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});

export const remoteItem = z.object({
  name: z.string().openapi({ example: 'home' }),
  name_escaped: z.literal(true).optional(),
  path: field.repositoryPath,
  type: z.enum(['directory', 'file', 'symlink', 'other']),
  is_directory: z.boolean().openapi({ example: true }),
  size: z.number().int().nullable(),
  modified: timestamp.nullable(),
  permissions: z.string().nullable().openapi({ example: 'drwxr-xr-x' }),
});

export type SshKeyView = z.infer<typeof sshKeyView>;
export type ConnectionView = z.infer<typeof connectionView>;
export type RemoteStorage = z.infer<typeof remoteStorage>;
export type RemoteItem = z.infer<typeof remoteItem>;
export type NewSshKey = z.infer<typeof newSshKey>;
export type SshKeyChanges = z.infer<typeof sshKeyChanges>;
export type SshKeyToImport = z.infer<typeof sshKeyToImport>;
export type SshKeyText = z.infer<typeof sshKeyText>;
export type QuickSetup = z.infer<typeof quickSetup>;
export type KeyDeploymentRequest = z.infer<typeof keyDeployment>;
export type ConnectionToTest = z.infer<typeof connectionToTest>;
export type KeyRedeployment = z.infer<typeof keyRedeployment>;
export type ConnectionChanges = z.infer<typeof connectionChanges>;

function isZone(timeZone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone }));
  } catch {
    return false;
  }
}
