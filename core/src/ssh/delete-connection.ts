import { inTransaction } from '../kernel/in-transaction.js';
import { repositories, sshConnections } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findConnection } from './connection-access.js';
import { refuseWhileNeeded } from './needed-by-jobs.js';

/**
 * Repositories stay, without it. Those that take their data from there keep its id: without one the next backup
 * would save the folders of this machine. AppError `not_found`, or `conflict` while a job needs it.
 */
export const deleteConnection =
  ({ storage, sshFiles, log }: Pick<Dependencies, 'storage' | 'sshFiles' | 'log'>) =>
  async (id: number) => {
    const { host, username } = await inTransaction(storage, async (session) => {
      const row = await findConnection(session, id);
      await refuseWhileNeeded(session, id);
      await session.update(repositories, { connection_id: id }, { connection_id: null });
      // A source connection stays named: without it, the next backup would save this machine's own paths.
      await session.remove(sshConnections, { id });
      return row;
    });
    await sshFiles
      .removeHostKey(id)
      .catch((error: unknown) => log.warn('the pinned host key of a deleted connection remains', { error }));
    const message = `The connection to ${username}@${host} was removed; repositories and data on it stay.`;
    return { success: true as const, message };
  };
