import type { StorageSession } from '../ports/storage.js';
import { type SshConnectionRow, sshConnections } from '../schema/tables.js';

export async function connectionsById(session: StorageSession): Promise<Map<number, SshConnectionRow>> {
  const rows = await session.find(sshConnections);
  return new Map(rows.map((row) => [row.id, row]));
}
