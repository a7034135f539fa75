import type { NewSshKey, SshKeyChanges, SshKeyView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { errorColumns, inTransaction, type Message, say } from '../../foundation/kernel/index.js';
import { changeWithin } from './change-connections.js';
import { refuseWhileNeeded } from './connections.js';
import type { KeyTurn } from './install-key.js';
import type { SshNeeds } from './needs.js';
import { connectionView, sshKeyView } from './ssh-view.js';
import { refuseSecondKey, storeKey } from './store-key.js';
import { findKey, findSystemKey, openPrivateKey } from './system-key.js';
import { type SshKeyRow, sshConnections, sshKeys } from './tables.js';

export type KeySetupNeeds = SshNeeds;

/** The comment of the public key, which identifies its line on a host. */
export const keyComment = 'holdfast';

/** Generates the system key. Throws AppError `conflict` when there is one. */
export function generateKey(needs: KeySetupNeeds, turn: KeyTurn, { name, key_type, description }: NewSshKey) {
  return turn(async () => {
    const { storage, keyTool } = needs;
    await refuseSecondKey(storage);
    const pair = await keyTool.generate(key_type, keyComment);
    const key = await storeKey(needs, storage, { name, description, pair });
    await publishKeyFiles(needs, key);
    const message = `SSH key ${name} was created: copy it to hosts with deploy.`;
    return { success: true as const, message, ssh_key: await viewKey(storage, key) };
  });
}

/** Throws AppError `not_found`. */
export async function updateKey(
  { storage, clock }: SshNeeds,
  id: number,
  { name, description, is_active }: SshKeyChanges,
) {
  const ssh_key = await inTransaction(storage, async (session) => {
    const before = await findKey(session, id);
    const after = {
      name: name ?? before.name,
      description: description === undefined ? before.description : description || null,
      is_active: is_active ?? before.is_active,
      updated_at: clock.now(),
    };
    await session.update(sshKeys, { id }, after);
    return viewKey(session, { ...before, ...after });
  });
  return { success: true as const, message: `SSH key ${ssh_key.name} was updated.`, ssh_key };
}

const withoutKey = say`connection_key_deleted: The SSH key was deleted: create a new one and redeploy it to this host.`;

/**
 * Connections stay, without a key. Entries in `authorized_keys` on hosts stay too. Throws AppError
 * `not_found`, or `conflict` while a job needs it.
 */
export async function deleteKey({ storage, sshFiles, log, events }: SshNeeds, id: number) {
  const { name, withoutKeyCount } = await inTransaction(storage, async (session) => {
    const { name } = await findKey(session, id);
    await refuseWhileNeeded(session);
    const patch = { ssh_key_id: null, status: 'failed', ...errorColumns(withoutKey) } as const;
    const withoutKeyCount = await changeWithin(session, events, { where: { ssh_key_id: id }, patch });
    await session.remove(sshKeys, { id });
    return { name, withoutKeyCount };
  });
  events.nudge();
  await sshFiles
    .removeKeyPairs()
    .catch((error: unknown) => log.warn('files of the deleted SSH key remain', { error }));
  const connections = withoutKeyCount === 1 ? '1 connection stays' : `${withoutKeyCount} connections stay`;
  return { success: true as const, message: `SSH key ${name} was deleted; ${connections} without a key.` };
}

/** Throws AppError `not_found`. */
export async function getKey({ storage }: Pick<SshNeeds, 'storage'>, id: number) {
  const key = await findKey(storage, id);
  const rows = await storage.find(sshConnections, { where: { ssh_key_id: id } });
  const connections = rows.map((row) => connectionView(row, key));
  return { success: true as const, ssh_key: { ...sshKeyView(key, rows), connections } };
}

export async function listKeys({ storage }: SshNeeds) {
  const key = await findSystemKey(storage);
  return { success: true as const, ssh_keys: key ? [await viewKey(storage, key)] : [] };
}

export async function getSystemKey({ storage }: SshNeeds) {
  const key = await findSystemKey(storage);
  const ssh_key = key ? await viewKey(storage, key) : null;
  return { success: true as const, exists: key !== null, ssh_key };
}

/** The view of the key, with the number of its connections. */
export const viewKey = async (session: StorageSession, key: SshKeyRow): Promise<SshKeyView> =>
  sshKeyView(key, await session.find(sshConnections, { where: { ssh_key_id: key.id } }));

type Needs = Pick<SshNeeds, 'secrets' | 'sshFiles'>;

/** Writes the pair to disk. `problem`: why it could not be written to the SSH folder. */
export const writeKeyFiles = (
  { secrets, sshFiles }: Needs,
  key: SshKeyRow,
): Promise<{ keyFile: string; problem: string | null }> =>
  sshFiles.writeKeyPair({
    type: key.key_type,
    privateKey: openPrivateKey({ secrets }, key),
    publicKey: key.public_key,
  });

/** Writes the pair of a key that was just stored, and logs problems. */
export async function publishKeyFiles(needs: Needs & SshNeeds, key: SshKeyRow): Promise<void> {
  try {
    const { problem } = await writeKeyFiles(needs, key);
    if (problem) needs.log.warn('the SSH key is in the data directory only', { reason: problem });
  } catch (error) {
    needs.log.error('the files of the SSH key could not be written', { error });
  }
}

/** Marks the connections of a lost key as failed, with the reason, until another one is deployed. */
export const leaveWithoutKey = (session: StorageSession, keyId: number, error: Message) =>
  session.update(
    sshConnections,
    { ssh_key_id: keyId },
    { ssh_key_id: null, status: 'failed', ...errorColumns(error) },
  );
