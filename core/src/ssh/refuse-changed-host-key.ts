import { conflict } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { type RepositoryRow, sshConnections } from '../schema/tables.js';

/** AppError `conflict` with both fingerprints while the host of a repository shows another key than the pinned one. */
export async function refuseChangedHostKey(
  session: StorageSession,
  { connection_id: id }: Pick<RepositoryRow, 'connection_id'>,
): Promise<void> {
  if (id === null) return;
  const where = { id, status: 'host_key_changed' as const };
  const [row] = await session.find(sshConnections, { where, limit: 1 });
  if (row)
    throw conflict(
      row.error_message ?? 'The host key of the connection changed: an administrator must accept it.',
    );
}
