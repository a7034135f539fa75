import { sshConnections } from '../schema/tables.js';
import { connectionView } from './ssh-view.js';
import type { Dependencies } from '../dependencies.js';
import { findSystemKey } from './system-key.js';

/** In the order in which they were made. */
export const listConnections =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async () => {
    const key = await findSystemKey(storage);
    const rows = await storage.find(sshConnections);
    return { success: true as const, connections: rows.map((row) => connectionView(row, key)) };
  };
