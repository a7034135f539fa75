import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  done,
  failures,
  idText,
  message,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import * as field from './schemas/fields.js';
import { messageCode } from './schemas/sentence.js';
import {
  connectionChanges,
  connectionStatus,
  connectionToTest,
  connectionView,
  hostKeyAcceptance,
  keyDeployment,
  keyRedeployment,
  newSshKey,
  quickSetup,
  remoteItem,
  remoteStorage,
  sshKeyChanges,
  sshKeyText,
  sshKeyToImport,
  sshKeyView,
} from './schemas/ssh.js';
import { remotePath } from './schemas/ssh-fields.js';

const c = initContract();
const tag = 'SSH';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const onlyLooks = { access: { who: 'any', readOnlyTokens: true }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const confirmed = { access: { who: 'admin', confirm: 'always' }, tag } satisfies RouteMetadata;
const itsKey = z.object({ key_id: idText.openapi({ description: 'Id of the key.' }) });
const itsConnection = z.object({ connection_id: idText.openapi({ description: 'Id of the connection.' }) });
const success = z.literal(true);
const keyWritten = z.object({ success, message, ssh_key: sshKeyView });
const connectionWritten = z.object({ success, message, connection: connectionView });
/** The result is in the body: a host that rejects the login is not an HTTP error. */
const tried = z.object({
  success: field.succeeded,
  message,
  ...messageCode,
  error: z.string().nullable(),
  connection: connectionView,
});

export const sshKeysContract = c.router({
  list: {
    method: 'GET',
    path: '/api/ssh-keys',
    summary: 'List the SSH keys',
    description: 'There is at most one, the system key. The private key is never shown.',
    responses: { 200: z.object({ success, ssh_keys: z.array(sshKeyView) }), ...failures },
    metadata: anyUser,
  },
  importText: {
    method: 'POST',
    path: '/api/ssh-keys',
    summary: 'Import a private key as the system key',
    description: 'Rejected if there is already a system key.',
    body: sshKeyText,
    responses: { 201: keyWritten, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...confirmed, creates: 'resource' } satisfies RouteMetadata,
  },
  systemKey: {
    method: 'GET',
    path: '/api/ssh-keys/system-key',
    summary: 'Show the system key',
    description: '`ssh_key` is null if there is none.',
    responses: {
      200: z.object({
        success,
        exists: z.boolean().openapi({ example: true }),
        ssh_key: sshKeyView.nullable(),
      }),
      ...failures,
    },
    metadata: anyUser,
  },
  generate: {
    method: 'POST',
    path: '/api/ssh-keys/generate',
    summary: 'Generate the system key',
    description: 'Rejected if there is already a system key. The private key stays on this server.',
    body: newSshKey,
    responses: { 201: keyWritten, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...admin, creates: 'resource' } satisfies RouteMetadata,
  },
  import: {
    method: 'POST',
    path: '/api/ssh-keys/import',
    summary: 'Import a private key file as the system key',
    description: 'Holdfast reads the file on its own server. Rejected if there is already a system key.',
    body: sshKeyToImport,
    responses: { 201: keyWritten, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...confirmed, creates: 'resource' } satisfies RouteMetadata,
  },
  quickSetup: {
    method: 'POST',
    path: '/api/ssh-keys/quick-setup',
    summary: 'Generate the system key, copy it to a host, and connect',
    description: 'If a step fails, neither the key nor the connection is stored.',
    body: quickSetup,
    responses: { 201: keyWritten.extend({ connection: connectionView.optional() }), ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...admin, creates: 'resource' } satisfies RouteMetadata,
  },
  listConnections: {
    method: 'GET',
    path: '/api/ssh-keys/connections',
    summary: 'List the SSH connections',
    description: 'With their last known status.',
    responses: { 200: z.object({ success, connections: z.array(connectionView) }), ...failures },
    metadata: anyUser,
  },
  getConnection: {
    method: 'GET',
    path: '/api/ssh-keys/connections/:connection_id',
    summary: 'Show one connection',
    description: 'With its status, its pinned host key and its storage usage, if known.',
    pathParams: itsConnection,
    responses: { 200: z.object({ success, connection: connectionView }), 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { ...anyUser, version: 'connection' } satisfies RouteMetadata,
  },
  updateConnection: {
    method: 'PUT',
    path: '/api/ssh-keys/connections/:connection_id',
    summary: 'Change a connection',
    description: 'The pinned host key is not changed. Repositories on the connection use the new address.',
    pathParams: itsConnection,
    body: connectionChanges,
    responses: { 200: connectionWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'connection' } satisfies RouteMetadata,
  },
  deleteConnection: {
    method: 'DELETE',
    path: '/api/ssh-keys/connections/:connection_id',
    summary: 'Remove a connection; repositories and their data are preserved',
    description:
      'Repositories on the host can no longer be reached through it. Rejected while a job needs it, and while ' +
      'repositories use it unless `confirm` names it.',
    pathParams: itsConnection,
    query: z.object({
      confirm: z.string().max(1024).optional().openapi({
        description: 'User and host of the connection, if repositories use it.',
        example: 'backup@nas.example.org',
      }),
    }),
    body: c.noBody(),
    responses: { 200: done, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'connection' } satisfies RouteMetadata,
  },
  testConnection: {
    method: 'POST',
    path: '/api/ssh-keys/connections/:connection_id/test',
    summary: 'Test a connection',
    description:
      'Signs in on the host and tests what a backup needs. `success` is false if that fails; `error` then ' +
      'says why.',
    pathParams: itsConnection,
    body: z.unknown().optional(),
    responses: { 200: tried.extend({ status: connectionStatus }), ...failures },
    metadata: { cost: 'high', ...onlyLooks, creates: 'nothing' } satisfies RouteMetadata,
  },
  refreshStorage: {
    method: 'POST',
    path: '/api/ssh-keys/connections/:connection_id/refresh-storage',
    summary: 'Query the storage usage of the host',
    description: '`storage` is null if the host does not report it.',
    pathParams: itsConnection,
    body: z.unknown().optional(),
    responses: {
      200: z.object({ success: field.succeeded, message, ...messageCode, storage: remoteStorage.nullable() }),
      ...failures,
    },
    metadata: { cost: 'high', ...anyUser, creates: 'nothing' } satisfies RouteMetadata,
  },
  redeploy: {
    method: 'POST',
    path: '/api/ssh-keys/connections/:connection_id/redeploy',
    summary: 'Copy the system key to the host of a connection again',
    description: 'For an account that no longer has the key. The password is used once and never stored.',
    pathParams: itsConnection,
    body: keyRedeployment,
    responses: { 200: tried, ...failures },
    metadata: { cost: 'high', ...anyUser, creates: 'nothing' } satisfies RouteMetadata,
  },
  acceptHostKey: {
    method: 'POST',
    path: '/api/ssh-keys/connections/:connection_id/accept-host-key',
    summary: 'Accept the changed host key of a connection',
    description: 'The fingerprint must match the key that the host presented last.',
    pathParams: itsConnection,
    body: hostKeyAcceptance,
    responses: { 200: connectionWritten, ...failures },
    metadata: { ...confirmed, creates: 'nothing' } satisfies RouteMetadata,
  },
  browse: {
    method: 'GET',
    path: '/api/ssh-keys/connections/:connection_id/browse',
    summary: 'List a folder on the host of a connection',
    description: 'With the permissions of its account, or of root if the connection has `sudo`.',
    pathParams: itsConnection,
    query: z.object({
      path: remotePath.optional().openapi({
        type: 'string',
        description: 'Absolute path on the host. Default: the default path of the connection.',
      }),
    }),
    responses: {
      200: z.object({
        success,
        current_path: z.string().openapi({ example: '/backups' }),
        parent_path: z.string().nullable(),
        items: z.array(remoteItem),
      }),
      ...failures,
    },
    metadata: { ...admin, cost: 'high' } satisfies RouteMetadata,
  },
  get: {
    method: 'GET',
    path: '/api/ssh-keys/:key_id',
    summary: 'Show a key',
    description: 'With the connections that use it.',
    pathParams: itsKey,
    responses: {
      200: z.object({ success, ssh_key: sshKeyView.extend({ connections: z.array(connectionView) }) }),
      304: c.noBody(),
      ...failures,
    },
    headers: cacheable,
    metadata: { ...anyUser, version: 'ssh_key' } satisfies RouteMetadata,
  },
  update: {
    method: 'PUT',
    path: '/api/ssh-keys/:key_id',
    summary: 'Rename, describe, enable or disable a key',
    description: 'Absent fields are not changed.',
    pathParams: itsKey,
    body: sshKeyChanges,
    responses: { 200: keyWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'ssh_key' } satisfies RouteMetadata,
  },
  delete: {
    method: 'DELETE',
    path: '/api/ssh-keys/:key_id',
    summary: 'Delete the system key; connections remain without a key',
    description:
      'Its files are removed from this server. Hosts keep the public key. Rejected while a job needs it.',
    pathParams: itsKey,
    body: c.noBody(),
    responses: { 200: done, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'ssh_key' } satisfies RouteMetadata,
  },
  deploy: {
    method: 'POST',
    path: '/api/ssh-keys/:key_id/deploy',
    summary: 'Copy the key to a host, and connect',
    description:
      'If the host rejects the login, `success` is false; the connection is stored with its status. The settings of ' +
      'an existing connection change for administrators only.',
    pathParams: itsKey,
    body: keyDeployment,
    responses: { 200: tried, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...anyUser, creates: 'resource' } satisfies RouteMetadata,
  },
  testNewConnection: {
    method: 'POST',
    path: '/api/ssh-keys/:key_id/test-connection',
    summary: 'Connect to a host that already accepts the key',
    description: 'The connection is stored with its status even if the test fails.',
    pathParams: itsKey,
    body: connectionToTest,
    responses: { 200: tried, ...failures },
    headers: retryable,
    metadata: { cost: 'high', ...admin, creates: 'resource' } satisfies RouteMetadata,
  },
});
