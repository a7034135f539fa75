import type { StorageSession } from '@holdfast/plugin-api';
import { notFound, say } from '../kernel/index.js';
import type { RemoteAccount } from '../ports/remote-host.js';
import { changeConnections } from './change-connections.js';
import type { SshNeeds } from './needs.js';
import { openPrivateKey, usableKey } from './system-key.js';
import { type SshConnectionRow, sshConnections } from './tables.js';

/** Throws AppError `not_found`. */
export async function findConnection(session: StorageSession, id: number): Promise<SshConnectionRow> {
  const [row] = await session.find(sshConnections, { where: { id }, limit: 1 });
  if (!row)
    throw notFound(
      say('ssh_connection_unknown')`There is no SSH connection ${{ id }}: see GET /api/ssh-keys/connections.`,
    );
  return row;
}

/**
 * The account with the system key as its credentials, and the id of that key. Throws AppError `not_found`
 * without a key, `conflict` while it is turned off.
 */
export async function openWithKey(
  { storage, secrets }: Pick<SshNeeds, 'storage' | 'secrets'>,
  connection: SshConnectionRow,
): Promise<{ account: RemoteAccount; keyId: number }> {
  const key = await usableKey(storage);
  const account = remoteAccount(connection, { privateKey: openPrivateKey({ secrets }, key) });
  return { account, keyId: key.id };
}

/** Assigns the current system key to a connection without one. Throws AppError like `openWithKey`. */
export async function linkToKey(needs: Pick<SshNeeds, 'storage' | 'events'>, id: number): Promise<void> {
  const key = await usableKey(needs.storage);
  await changeConnections(needs, { id, ssh_key_id: null }, { ssh_key_id: key.id });
}

const remoteAccount = (
  { host, port, username, host_key }: Pick<SshConnectionRow, 'host' | 'port' | 'username' | 'host_key'>,
  authentication: RemoteAccount['authentication'],
): RemoteAccount => ({ host, port, username, authentication, hostKey: host_key });
