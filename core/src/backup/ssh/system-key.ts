import type { StorageSession } from '@holdfast/plugin-api';
import { conflict, notFound, say } from '../../foundation/kernel/index.js';
import type { SshNeeds } from './needs.js';
import { type SshKeyRow, sshKeys } from './tables.js';

/** The system key, or null. */
export async function findSystemKey(session: StorageSession): Promise<SshKeyRow | null> {
  const [key] = await session.find(sshKeys, { limit: 1 });
  return key ?? null;
}

/** The key with this id. Throws AppError `not_found`. */
export async function findKey(session: StorageSession, id: number): Promise<SshKeyRow> {
  const [key] = await session.find(sshKeys, { where: { id }, limit: 1 });
  if (!key)
    throw notFound(say`ssh_key_unknown: There is no SSH key ${{ id }}: see GET /api/ssh-keys/system-key.`);
  return key;
}

/** The system key, if it may be used. Throws AppError `not_found`, or `conflict` while it is turned off. */
export async function usableKey(session: StorageSession): Promise<SshKeyRow> {
  const key = await findSystemKey(session);
  if (!key)
    throw notFound(say`ssh_key_missing: There is no SSH key: create one with POST /api/ssh-keys/generate.`);
  if (!key.is_active)
    throw conflict(
      say`ssh_key_turned_off: The SSH key ${{ key: key.name }} is turned off: set is_active to true first.`,
    );
  return key;
}

export const privateKeyPurpose = (uid: string) => `ssh-key:${uid}`;

export const openPrivateKey = ({ secrets }: Pick<SshNeeds, 'secrets'>, key: SshKeyRow): string =>
  secrets.open(privateKeyPurpose(key.uid), key.private_key);
