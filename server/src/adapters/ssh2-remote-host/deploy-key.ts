import { type KeyDeployment, RemoteHostError } from '@holdfast/core/server';
import { entryOf, planKey } from './authorized-keys.js';
import type { Connection } from './connection.js';
import { deployStep, type KeyFile } from './key-file.js';
import { sftpKeyFile } from './sftp-key-file.js';
import { shellKeyFile } from './shell-key-file.js';

/** Returns whether the key was added, false when it was there. */
export async function deployKey(connection: Connection, deployment: KeyDeployment): Promise<boolean> {
  const file = await keyFile(connection, deployment);
  const plan = planKey(await file.read(), deployment);
  if (plan === 'other_rights') {
    const message =
      'The host knows this key already, with other rights: take its line out of .ssh/authorized_keys there first.';
    throw new RemoteHostError('refused', message, { step: deployStep });
  }
  if (plan !== 'present') await file.append(plan.append);
  await file.tighten();
  return plan !== 'present';
}

/** Takes the key out again, when it still is the last line. */
export async function withdrawKey(connection: Connection, deployment: KeyDeployment): Promise<void> {
  const file = await keyFile(connection, deployment);
  await file.cut(entryOf(deployment));
}

const keyFile = async (connection: Connection, { sftp }: KeyDeployment): Promise<KeyFile> =>
  sftp ? sftpKeyFile(connection) : shellKeyFile(connection);
