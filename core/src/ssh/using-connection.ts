import { isRemoteHostError } from '../kernel/errors.js';
import type { RemoteAccount } from '../ports/remote-host.js';
import type { SshConnectionRow } from '../schema/tables.js';
import { type ConnectionNeeds, pinnedConnection } from './check-connection.js';
import { openWithKey } from './connection-access.js';
import { recordConnectionUse } from './record-connection-use.js';

/**
 * Does work on the host of a connection; its status follows. Rejects with what the work threw, RemoteHostError for
 * what the host is to blame for, AppError when there is no usable system key.
 */
export async function usingConnection<T>(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
  work: (account: RemoteAccount) => Promise<T>,
): Promise<T> {
  const { storage, clock } = needs;
  const pinned = await pinnedConnection(needs, connection);
  const { account, keyId } = await openWithKey(needs, pinned);
  try {
    const result = await work(account);
    await recordConnectionUse(storage, connection.id, { at: clock.now(), error: null, keyId });
    return result;
  } catch (error) {
    if (isRemoteHostError(error)) {
      await recordConnectionUse(storage, connection.id, { at: clock.now(), error });
    }
    throw error;
  }
}
