import type { ConnectionToTest } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import {
  conflict,
  errorColumns,
  inTransaction,
  isRemoteHostError,
  Message,
  messageOf,
  type RemoteHostError,
  say,
  shownMessage,
  together,
} from '../../foundation/kernel/index.js';
import type { Allowed } from '../../foundation/ports/remote-host.js';
import type { RepositoryRow } from '../repositories/tables.js';
import { changeConnections } from './change-connections.js';
import { findConnection, linkToKey, openWithKey } from './connection-access.js';
import { reportTakenAddress, saveConnection, viewConnection } from './connections.js';
import type { SshNeeds } from './needs.js';
import { recordConnectionUse } from './record-connection-use.js';
import { hostKeyFingerprint } from './ssh.rules.js';
import { findKey, findSystemKey } from './system-key.js';
import { type SshConnectionRow, sshConnections } from './tables.js';

/** Signs in on the host. Throws AppError `not_found` for connection or key. */
export async function testConnection(needs: ConnectionNeeds, id: number) {
  const answer = await runTest(needs, id);
  return { ...answer, status: answer.connection.status };
}

/** The status is `testing` while it runs. */
async function runTest(needs: ConnectionNeeds, id: number, options: CheckOptions = {}) {
  const { storage } = needs;
  const connection = await findConnection(storage, id);
  await linkToKey(needs, id);
  await changeConnections(needs, { id }, { status: 'testing' });
  try {
    const error = await checkConnection(needs, connection, options);
    return await tried(storage, { id, error, done: keyWorks(connection) });
  } finally {
    await changeConnections(needs, { id, status: 'testing' }, { status: connection.status });
  }
}

/**
 * Connects to a host that already has the key. The connection is stored whatever the result. Throws AppError
 * `not_found`.
 */
export async function testNewConnection(
  needs: ConnectionNeeds,
  keyId: number,
  { host_key_fingerprint, jump_connection_id, ...address }: ConnectionToTest,
) {
  const { storage, clock, events } = needs;
  await findKey(storage, keyId);
  const save = () =>
    inTransaction(storage, (session) =>
      saveConnection(session, events, { address, usage: { jump_connection_id }, now: clock.now() }),
    );
  const { id } = await reportTakenAddress(save);
  return runTest(needs, id, { expectedFingerprint: host_key_fingerprint });
}

/** The answer to an attempt on a host: whether it worked, and the current connection. */
export const tried = async (
  session: StorageSession,
  { id, error, done }: { id: number; error: RemoteHostError | null; done: Message },
) => {
  const connection = await viewConnection(session, id);
  const remark = connection.allows ? remarks[connection.allows] : [];
  const message = error ? messageOf(error) : (together([done, ...remark]) ?? done);
  return { success: error === null, ...shownMessage(message), error: error?.message ?? null, connection };
};

export const keyWorks = ({ username, host }: Pick<SshConnectionRow, 'username' | 'host'>): Message =>
  say`connection_works: The key works for ${{ account: `${username}@${host}` }}.`;

const remarks: Record<Allowed, Message[]> = {
  commands: [],
  borg_serve: [
    say`connection_only_borg_serve: The key may only run \`borg serve\` on the host (command= in authorized_keys): that is enough for repositories. Browsing, storage usage and backups of that host need a key without this restriction.`,
  ],
  nothing: [
    say`connection_without_commands: But the host runs no commands for this key, so neither repositories on it nor backups of it work. Give the account a shell, or let the key run \`borg serve\`.`,
  ],
};

export type ConnectionNeeds = Pick<SshNeeds, 'storage' | 'secrets' | 'clock' | 'remoteHost' | 'events'>;

export interface CheckOptions {
  /** The first host key must have this fingerprint. */
  expectedFingerprint?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Signs in on the host, pins its key the first time, and records the result. Returns the error, or null.
 * Throws AppError when there is no usable system key.
 */
export async function checkConnection(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
  { expectedFingerprint, signal }: CheckOptions = {},
): Promise<RemoteHostError | null> {
  const { clock, remoteHost } = needs;
  const { account, keyId } = await openWithKey(needs, connection);
  try {
    const { hostKey, allows } = await remoteHost.test(
      { ...account, sudo: connection.sudo, expectedFingerprint },
      { signal },
    );
    const use = { at: clock.now(), error: null, hostKey, allows, tested: true, keyId };
    await recordConnectionUse(needs, connection.id, use);
    return null;
  } catch (error) {
    if (!isRemoteHostError(error)) throw error;
    await recordConnectionUse(needs, connection.id, { at: clock.now(), error, tested: true });
    return error;
  }
}

/**
 * The connection with its pinned host key. A connection that was never used is tested first. Rejects with
 * RemoteHostError.
 */
export async function pinnedConnection(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
): Promise<SshConnectionRow & { host_key: string }> {
  const { host_key } = connection;
  if (host_key !== null) return { ...connection, host_key };
  const error = await checkConnection(needs, connection);
  if (error) throw error;
  return pinnedConnection(needs, await findConnection(needs.storage, connection.id));
}

/**
 * Pins the key that the host showed last, if it has this fingerprint, and tests the connection. Throws
 * AppError `not_found`, or `conflict` for another fingerprint.
 */
export async function acceptHostKey(needs: ConnectionNeeds & SshNeeds, id: number, fingerprint: string) {
  const { storage, sshFiles } = needs;
  const { offered_host_key: offered } = await findConnection(storage, id);
  if (offered === null) {
    throw conflict(
      say`host_key_not_offered: The host has only presented the pinned key: test the connection first.`,
    );
  }
  const shown = hostKeyFingerprint(offered);
  if (shown !== fingerprint) {
    throw conflict(
      say`host_key_not_shown: The host last presented the key ${{ shown }}, not ${{ fingerprint }}: compare it on the host itself.`,
    );
  }
  const patch = {
    host_key: offered,
    offered_host_key: null,
    status: 'unknown',
    ...errorColumns(null),
  } as const;
  const matched = await changeConnections(needs, { id, offered_host_key: offered }, patch);
  if (matched === 0)
    throw conflict(say`host_key_changed_again: The host key changed again. Review it before you accept it.`);
  await sshFiles.removeHostKey(id);
  const key = await findSystemKey(storage);
  if (key?.is_active) await checkConnection(needs, await findConnection(storage, id));
  const connection = await viewConnection(storage, id);
  return { success: true as const, message: `The host key ${fingerprint} is now pinned.`, connection };
}

/**
 * Throws AppError `conflict` with both fingerprints while the host of a repository shows another key than the
 * pinned one.
 */
export async function refuseChangedHostKey(
  session: StorageSession,
  { connection_id: id }: Pick<RepositoryRow, 'connection_id'>,
): Promise<void> {
  if (id === null) return;
  const where = { id, status: 'host_key_changed' as const };
  const [row] = await session.find(sshConnections, { where, limit: 1 });
  if (row)
    throw conflict(
      row.error_message === null
        ? say`host_key_not_accepted: The host key of the connection changed: an administrator must accept it.`
        : new Message('host_key_changed', { problem: row.error_message }, row.error_message),
    );
}
