import { type KeyDeployment, RemoteHostError } from '@holdfast/core/server';
import { entryOf, planKey } from './authorized-keys.js';
import type { Connection } from './connection.js';
import { deployStep, type KeyFile } from './key-file.js';
import { sftpKeyFile } from './sftp-key-file.js';
import { shellKeyFile } from './shell-key-file.js';

/** Returns true if the key was added, false if it was already present. */
export async function deployKey(connection: Connection, deployment: KeyDeployment): Promise<boolean> {
  const file = await keyFile(connection, deployment);
  const plan = planKey(await file.read(), deployment);
  if (plan === 'other_rights') {
    const message =
      'The host already has this key with other permissions. Remove its line from .ssh/authorized_keys on the ' +
      'host first.';
    throw new RemoteHostError('refused', message, { step: deployStep });
  }
  if (plan !== 'present') await file.append(plan.append);
  await file.tighten();
  return plan !== 'present';
}

/** Removes the key again if it is still the last line. */
export async function withdrawKey(connection: Connection, deployment: KeyDeployment): Promise<void> {
  const file = await keyFile(connection, deployment);
  await file.cut(entryOf(deployment));
}

const keyFile = async (connection: Connection, { sftp }: KeyDeployment): Promise<KeyFile> =>
  sftp ? sftpKeyFile(connection) : shellKeyFile(connection);
