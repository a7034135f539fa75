import type { SshTransport } from '@holdfast/plugin-api/driver';
import { isRemoteHostError } from '../../foundation/kernel/index.js';
import type { RemoteAccount } from '../../foundation/ports/remote-host.js';
import { hostKeyAlias } from '../../foundation/ports/ssh-files.js';
import { speedLimit } from './bandwidth.js';
import { changeConnections } from './change-connections.js';
import { jumpsTo, openWithKey } from './connection-access.js';
import { publishKeyFiles, writeKeyFiles } from './keys.js';
import type { SshNeeds } from './needs.js';
import { recordConnectionUse } from './record-connection-use.js';
import { hostKeyFingerprint } from './ssh.rules.js';
import { findSystemKey, usableKey } from './system-key.js';
import type { SshConnectionRow } from './tables.js';
import { type ConnectionNeeds, pinnedConnection } from './test-connection.js';

/**
 * Writes the files that OpenSSH's `ssh` needs for a connection and those before it. Rejects with RemoteHostError when a
 * connection that was never used can't be tested, with AppError when there is no usable system key.
 */
export async function openTransport(
  needs: ConnectionNeeds & Pick<SshNeeds, 'sshFiles'>,
  connection: SshConnectionRow,
): Promise<SshTransport> {
  const pinned = await pinnedConnection(needs, connection);
  const { keyFile } = await writeKeyFiles(needs, await usableKey(needs.storage));
  const hop = async ({ id, host_key: hostKey }: typeof pinned) => ({
    connectionId: id,
    keyFile,
    knownHostsFile: await needs.sshFiles.writeHostKey({ connectionId: id, hostKey }),
    hostKeyAlias: hostKeyAlias(id),
    fingerprint: hostKeyFingerprint(hostKey),
  });
  let jump: SshTransport['jump'];
  const jumps = await jumpsTo(needs.storage, pinned);
  for (const row of jumps.toReversed()) {
    const { username, host, port } = row;
    jump = { username, host, port, ...(await hop(row)), ...(jump && { jump }) };
  }
  const speed = speedLimit(needs, [pinned, ...jumps]);
  return { ...(await hop(pinned)), speed, ...(jump && { jump }) };
}

/** At start-up, writes the files of the system key and resets unfinished tests. Never rejects. */
export async function prepareSsh(needs: SshNeeds): Promise<void> {
  const { storage, sshFiles, log } = needs;
  try {
    await changeConnections(needs, { status: 'testing' }, { status: 'unknown' });
    const key = await findSystemKey(storage);
    if (key) await publishKeyFiles(needs, key);
    else await sshFiles.removeKeyPairs();
  } catch (error) {
    log.error('the files of the SSH key could not be updated', { error });
  }
}

/**
 * Runs work on the host of a connection and updates its status. Rejects with what the work threw, with
 * RemoteHostError when the host fails, and with AppError when there is no usable system key.
 */
export async function usingConnection<T>(
  needs: ConnectionNeeds,
  connection: SshConnectionRow,
  work: (account: RemoteAccount) => Promise<T>,
): Promise<T> {
  const { clock } = needs;
  const pinned = await pinnedConnection(needs, connection);
  const { account, keyId } = await openWithKey(needs, pinned);
  try {
    const result = await work(account);
    await recordConnectionUse(needs, connection.id, { at: clock.now(), error: null, keyId });
    return result;
  } catch (error) {
    if (isRemoteHostError(error)) {
      await recordConnectionUse(needs, connection.id, { at: clock.now(), error });
    }
    throw error;
  }
}
