import type { SshKeyView } from '@holdfast/contracts';
import type { StorageSession } from '../ports/storage.js';
import { type SshKeyRow, sshConnections } from '../schema/tables.js';
import { sshKeyView } from './ssh-view.js';

/** The key as it is shown, with its connections counted. */
export const viewKey = async (session: StorageSession, key: SshKeyRow): Promise<SshKeyView> =>
  sshKeyView(key, await session.find(sshConnections, { where: { ssh_key_id: key.id } }));
