import { isRemoteHostError, type RemoteHostError } from '../kernel/errors.js';
import { type SshConnectionRow, type SshKeyRow, sshConnections } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { installKey, type Restriction } from './install-key.js';
import { recordConnectionUse } from './record-connection-use.js';
import { openPrivateKey } from './system-key.js';

export type DeploymentNeeds = Pick<Dependencies, 'storage' | 'secrets' | 'clock' | 'remoteHost' | 'redactor'>;

export interface Deployment {
  connection: SshConnectionRow;
  key: SshKeyRow;
  password: string;
  expectedFingerprint?: string | undefined;
  restrict?: Restriction | undefined;
}

/** Installs the key on the host of a stored connection and records what came of it. Returns what went wrong, or null. */
export async function tryDeployment(
  needs: DeploymentNeeds,
  { connection, key, ...how }: Deployment,
): Promise<RemoteHostError | null> {
  const { storage, clock } = needs;
  const { id, host, port, username, host_key: hostKey, use_sftp_mode: sftp } = connection;
  await storage.update(sshConnections, { id }, { status: 'testing', last_test: clock.now() });
  const pair = { publicKey: key.public_key, privateKey: openPrivateKey(needs, key) };
  const address = { host, port, username, hostKey, expectedFingerprint: how.expectedFingerprint };
  try {
    const seen = await installKey(needs, { ...how, address, key: pair, sftp });
    const use = { at: clock.now(), error: null, hostKey: seen.hostKey, tested: true, keyId: key.id };
    await recordConnectionUse(storage, id, use);
    return null;
  } catch (error) {
    if (!isRemoteHostError(error)) {
      await storage.update(sshConnections, { id, status: 'testing' }, { status: connection.status });
      throw error;
    }
    await recordConnectionUse(storage, id, { at: clock.now(), error, tested: true });
    return error;
  }
}
