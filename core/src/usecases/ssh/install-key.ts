import { isRemoteHostError, RemoteHostError } from '../../errors.js';
import type { RemoteAccount, SeenHostKey } from '../../ports/remote-host.js';
import type { Dependencies } from '../dependencies.js';

/** As the request has it. */
export interface Restriction {
  path: string;
  append_only: boolean;
}

export interface KeyInstallation {
  /** With the pinned key of the host, if there is one. */
  address: Pick<RemoteAccount, 'host' | 'port' | 'username' | 'hostKey' | 'expectedFingerprint'>;
  password: string;
  key: { publicKey: string; privateKey: string };
  sftp: boolean;
  restrict?: Restriction | undefined;
}

/**
 * Puts the key on the host, by password, and signs in with it: then it works. The password is used for nothing
 * else and hidden from the log meanwhile. Rejects with RemoteHostError.
 */
export async function installKey(
  { remoteHost, redactor }: Pick<Dependencies, 'remoteHost' | 'redactor'>,
  { address, password, key, sftp, restrict }: KeyInstallation,
): Promise<SeenHostKey & { added: boolean }> {
  const guard = redactor.protect(password);
  try {
    const deployment = {
      publicKeyLine: key.publicKey,
      sftp,
      ...(restrict ? { restrict: { path: restrict.path, appendOnly: restrict.append_only } } : {}),
    };
    const account = { ...address, authentication: { password } };
    const { added, hostKey, fingerprint } = await remoteHost.deployKey(account, deployment);
    await signIn(remoteHost, { ...address, hostKey, authentication: { privateKey: key.privateKey } });
    return { added, hostKey, fingerprint };
  } finally {
    guard.release();
  }
}

async function signIn(remoteHost: Dependencies['remoteHost'], account: RemoteAccount): Promise<void> {
  try {
    await remoteHost.test(account);
  } catch (error) {
    if (!isRemoteHostError(error, 'authentication')) throw error;
    const message =
      'The key was copied, but the host does not accept it: check that it allows public keys, that nobody else ' +
      'may write to the home directory, and that it reads .ssh/authorized_keys there.';
    throw new RemoteHostError('refused', message, { ...error.options, step: 'sign in with the key' });
  }
}
