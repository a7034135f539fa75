import { sshConnections } from '../schema/tables.js';
import { type CheckOptions, type ConnectionNeeds, checkConnection } from './check-connection.js';
import { findConnection, linkToKey } from './connection-access.js';
import { tried } from './tried.js';

/** Signs in on the host. AppError `not_found` for connection or key. */
export const testConnection = (needs: ConnectionNeeds) => async (id: number) => {
  const answer = await runTest(needs, id);
  return { ...answer, status: answer.connection.status };
};

/** The status is `testing` meanwhile. */
export async function runTest(needs: ConnectionNeeds, id: number, options: CheckOptions = {}) {
  const { storage } = needs;
  const connection = await findConnection(storage, id);
  await linkToKey(storage, id);
  await storage.update(sshConnections, { id }, { status: 'testing' });
  try {
    const error = await checkConnection(needs, connection, options);
    const done = `The key opens ${connection.username}@${connection.host}.`;
    return await tried(storage, { id, error, done });
  } finally {
    await storage.update(sshConnections, { id, status: 'testing' }, { status: connection.status });
  }
}
