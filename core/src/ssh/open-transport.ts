import { hostKeyFingerprint } from './ssh-fingerprint.rules.js';
import type { SshTransport } from '../ports/backup-driver.js';
import { hostKeyAlias } from '../ports/ssh-files.js';
import type { SshConnectionRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { type ConnectionNeeds, pinnedConnection } from './check-connection.js';
import { usableKey } from './system-key.js';
import { writeKeyFiles } from './write-key-files.js';

/**
 * What OpenSSH's `ssh` needs for a connection, with its files written. Rejects with RemoteHostError when the host
 * key of a connection that was never used can't be had, with AppError when there is no usable system key.
 */
export async function openTransport(
  needs: ConnectionNeeds & Pick<Dependencies, 'sshFiles'>,
  connection: SshConnectionRow,
): Promise<SshTransport> {
  const { id, host_key: hostKey } = await pinnedConnection(needs, connection);
  const { keyFile } = await writeKeyFiles(needs, await usableKey(needs.storage));
  const knownHostsFile = await needs.sshFiles.writeHostKey({ connectionId: id, hostKey });
  return {
    connectionId: id,
    keyFile,
    knownHostsFile,
    hostKeyAlias: hostKeyAlias(id),
    fingerprint: hostKeyFingerprint(hostKey),
  };
}
