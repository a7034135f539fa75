import { isRemoteHostError, type RemoteHostError } from '../kernel/errors.js';
import type { SshConnectionRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findConnection, openWithKey } from './connection-access.js';
import { recordConnectionUse } from './record-connection-use.js';

export type ConnectionNeeds = Pick<Dependencies, 'storage' | 'secrets' | 'clock' | 'remoteHost'>;

export interface CheckOptions {
  /** The first host key must be this one. */
  expectedFingerprint?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Signs in on the host, pins its key the first time, and records what came of it. Returns what is wrong, or null.
 * AppError when there is no usable system key.
 */
export async function checkConnection(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
  { expectedFingerprint, signal }: CheckOptions = {},
): Promise<RemoteHostError | null> {
  const { storage, clock, remoteHost } = needs;
  const { account, keyId } = await openWithKey(needs, connection);
  try {
    const { hostKey } = await remoteHost.test({ ...account, expectedFingerprint }, { signal });
    const use = { at: clock.now(), error: null, hostKey, tested: true, keyId };
    await recordConnectionUse(storage, connection.id, use);
    return null;
  } catch (error) {
    if (!isRemoteHostError(error)) throw error;
    await recordConnectionUse(storage, connection.id, { at: clock.now(), error, tested: true });
    return error;
  }
}

/** The connection with its pinned host key: one that was never used is used now. Rejects with RemoteHostError. */
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
