import type { StorageSession } from '@holdfast/plugin-api';
import { conflict, invalid, notFound, say } from '../../foundation/kernel/index.js';
import type { RemoteAccount } from '../../foundation/ports/remote-host.js';
import { changeConnections } from './change-connections.js';
import type { SshNeeds } from './needs.js';
import { openPrivateKey, usableKey } from './system-key.js';
import { type SshConnectionRow, sshConnections } from './tables.js';

/** Throws AppError `not_found`. */
export async function findConnection(session: StorageSession, id: number): Promise<SshConnectionRow> {
  const [row] = await session.find(sshConnections, { where: { id }, limit: 1 });
  if (!row)
    throw notFound(
      say`ssh_connection_unknown: There is no SSH connection ${{ id }}: see GET /api/ssh-keys/connections.`,
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
  const privateKey = openPrivateKey({ secrets }, key);
  const jump = await jumpAccount(storage, connection, privateKey);
  return { account: { ...remoteAccount(connection, privateKey), jump }, keyId: key.id };
}

type Way = Pick<SshConnectionRow, 'id' | 'jump_connection_id'>;

/**
 * The connections through which a host is reached, the nearest to the host first. Throws AppError `not_found`;
 * `conflict` for a host key that was never seen; `invalid` for a circle.
 */
export async function jumpsTo(session: StorageSession, { id, jump_connection_id }: Way) {
  const jumps: (SshConnectionRow & { host_key: string })[] = [];
  for (let next = jump_connection_id; next !== null; ) {
    if (next === id || jumps.some((each) => each.id === next))
      throw invalid(say`jump_circle: jump_connection_id: that host is itself reached through this one.`);
    const row = await findConnection(session, next);
    const { host_key, host } = row;
    if (host_key === null)
      throw conflict(
        say`jump_host_key_unknown: The host key of ${{ host }} is not known yet: test its connection before you use it as a jump host.`,
      );
    jumps.push({ ...row, host_key });
    next = row.jump_connection_id;
  }
  return jumps;
}

/** The account through which the host is reached, if any. Throws AppError like `jumpsTo`. */
export const jumpAccount = async (
  session: StorageSession,
  connection: Way,
  privateKey: string,
): Promise<RemoteAccount | undefined> =>
  (await jumpsTo(session, connection)).reduceRight<RemoteAccount | undefined>(
    (jump, row) => ({ ...remoteAccount(row, privateKey), jump }),
    undefined,
  );

/** Assigns the current system key to a connection without one. Throws AppError like `openWithKey`. */
export async function linkToKey(needs: Pick<SshNeeds, 'storage' | 'events'>, id: number): Promise<void> {
  const key = await usableKey(needs.storage);
  await changeConnections(needs, { id, ssh_key_id: null }, { ssh_key_id: key.id });
}

const remoteAccount = (
  { host, port, username, host_key }: Pick<SshConnectionRow, 'host' | 'port' | 'username' | 'host_key'>,
  privateKey: string,
): RemoteAccount => ({ host, port, username, authentication: { privateKey }, hostKey: host_key });
