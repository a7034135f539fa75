import { sshConnections } from '../schema/tables.js';
import { connectionView, sshKeyView } from './ssh-view.js';
import type { Dependencies } from '../dependencies.js';
import { findKey } from './system-key.js';

/** AppError `not_found`. */
export const getKey =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (id: number) => {
    const key = await findKey(storage, id);
    const rows = await storage.find(sshConnections, { where: { ssh_key_id: id } });
    const connections = rows.map((row) => connectionView(row, key));
    return { success: true as const, ssh_key: { ...sshKeyView(key, rows), connections } };
  };
