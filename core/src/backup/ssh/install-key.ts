import { conflict, isRemoteHostError, RemoteHostError, say } from '../../foundation/kernel/index.js';
import type {
  Allowed,
  KeyDeployment,
  RemoteAccount,
  SeenHostKey,
} from '../../foundation/ports/remote-host.js';
import type { SshNeeds } from './needs.js';

/** Restriction of a deployed key, as in the request. */
export interface Restriction {
  path: string;
  append_only: boolean;
}

export interface KeyInstallation {
  /** Includes the pinned host key, if there is one. */
  address: Pick<RemoteAccount, 'host' | 'port' | 'username' | 'hostKey' | 'jump' | 'expectedFingerprint'>;
  password: string;
  key: { publicKey: string; privateKey: string };
  sftp: boolean;
  restrict?: Restriction | undefined;
}
type Copied = SeenHostKey & { added: boolean };
type Tried = Copied & { allows: Allowed };

/**
 * Copies the key to the host using the password, then signs in with the key to prove that it works. The
 * password is used for nothing else and redacted from the log. Rejects with RemoteHostError.
 */
export const installKey = (needs: SshNeeds, installation: KeyInstallation): Promise<Tried> =>
  hidingPassword(needs, installation, async () => {
    const copied = await needs.remoteHost.deployKey(...deploymentOf(installation));
    return { ...copied, ...(await signIn(needs, installation, copied)) };
  });

/**
 * Installs a key and calls `store` once it works. When either fails, the key is removed from the host.
 * Rejects with RemoteHostError, and with what `store` throws.
 */
export const installNewKey = <T>(
  needs: SshNeeds & SshNeeds,
  installation: KeyInstallation,
  store: (tried: Tried) => Promise<T>,
): Promise<T> =>
  hidingPassword(needs, installation, async () => {
    const copied = await needs.remoteHost.deployKey(...deploymentOf(installation));
    try {
      return await store({ ...copied, ...(await signIn(needs, installation, copied)) });
    } catch (error) {
      if (copied.added) await withdraw(needs, installation, copied);
      throw error;
    }
  });

async function hidingPassword<T>(
  { redactor }: SshNeeds,
  { password }: KeyInstallation,
  work: () => Promise<T>,
): Promise<T> {
  const guard = redactor.protect(password);
  try {
    return await work();
  } finally {
    guard.release();
  }
}

function deploymentOf(installation: KeyInstallation): [RemoteAccount, KeyDeployment] {
  const { address, password, key, sftp, restrict } = installation;
  const deployment = {
    publicKeyLine: key.publicKey,
    sftp,
    ...(restrict ? { restrict: { path: restrict.path, appendOnly: restrict.append_only } } : {}),
  };
  return [{ ...address, authentication: { password } }, deployment];
}

async function withdraw(
  { remoteHost, log }: SshNeeds & SshNeeds,
  installation: KeyInstallation,
  { hostKey }: SeenHostKey,
): Promise<void> {
  const [account, deployment] = deploymentOf(installation);
  await remoteHost.withdrawKey({ ...account, hostKey }, deployment).catch((error: unknown) => {
    log.warn('an unused key could not be removed from a host', { host: account.host, error });
  });
}

async function signIn(
  { remoteHost }: SshNeeds,
  { address, key }: KeyInstallation,
  { hostKey }: SeenHostKey,
): Promise<{ allows: Allowed }> {
  try {
    return await remoteHost.test({ ...address, hostKey, authentication: { privateKey: key.privateKey } });
  } catch (error) {
    if (!isRemoteHostError(error, 'authentication')) throw error;
    const message =
      'The key was copied, but the host does not accept it: check that it allows public keys, that no one else ' +
      'may write to the home directory, and that it reads .ssh/authorized_keys there.';
    throw new RemoteHostError('refused', message, { ...error.options, step: 'sign in with the key' });
  }
}

/** Allows one set-up of the system key at a time; a second one fails with AppError `conflict`. */
export type KeyTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function makeKeyTurn(): KeyTurn {
  let busy = false;
  return async (work) => {
    if (busy)
      throw conflict(
        say`ssh_key_setup_running: A system key is being set up right now: wait until that has finished.`,
      );
    busy = true;
    try {
      return await work();
    } finally {
      busy = false;
    }
  };
}
