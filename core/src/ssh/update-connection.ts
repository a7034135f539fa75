import type { ConnectionChanges } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { forbidden } from '../kernel/errors.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { type SshConnectionRow, sshConnections } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { followConnection } from '../repositories/follow-connection.js';
import { findConnection } from './connection-access.js';
import { given, sayingAddressIsTaken } from './connection-row.js';
import { viewConnection } from './view-connection.js';

/**
 * The pinned host key stays, whatever changes. AppError `not_found`; `conflict` for a taken address; `forbidden`
 * where trust or the address is concerned and the caller is no administrator.
 */
export const updateConnection =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (caller: Caller, { id, changes }: { id: number; changes: ConnectionChanges }) => {
    const write = () =>
      inTransaction(storage, async (session) => {
        const before = await findConnection(session, id);
        const after: SshConnectionRow = { ...before, ...patchOf(before, changes), updated_at: clock.now() };
        refuseTrust(caller, before, after);
        const { id: _, ...row } = after;
        await session.update(sshConnections, { id }, row);
        if (moved(before, after)) await followConnection(session, { before, after });
        return viewConnection(session, id);
      });
    const connection = await sayingAddressIsTaken(write);
    const message = `The connection to ${connection.username}@${connection.host} was updated.`;
    return { success: true as const, message, connection };
  };

function patchOf(before: SshConnectionRow, changes: ConnectionChanges): Partial<SshConnectionRow> {
  const {
    host = before.host,
    port = before.port,
    username = before.username,
    trusted = before.trusted,
  } = changes;
  const after = { ...given(changes), host, port, username, trusted };
  return moved(before, after) ? { ...after, status: 'unknown', error_message: null } : after;
}

type Addressed = Pick<SshConnectionRow, 'host' | 'port' | 'username'>;
const moved = (a: Addressed, b: Addressed) =>
  a.host !== b.host || a.port !== b.port || a.username !== b.username;

function refuseTrust(caller: Caller, before: SshConnectionRow, after: SshConnectionRow): void {
  if (caller.isAdmin) return;
  if (before.trusted !== after.trusted) {
    throw forbidden('Only an administrator may change whether a connection is trusted.');
  }
  if (moved(before, after)) {
    throw forbidden('Only an administrator may change the host, the port or the user of a connection.');
  }
}
