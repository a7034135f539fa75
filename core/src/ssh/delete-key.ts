import { inTransaction } from '../kernel/in-transaction.js';
import { sshConnections, sshKeys } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { refuseWhileNeeded } from './needed-by-jobs.js';
import { findKey } from './system-key.js';

const withoutKey = 'The SSH key was deleted: make a new one and redeploy it to this host.';

/**
 * Connections stay, without a key; what stands in `authorized_keys` on hosts stays too. AppError `not_found`, or
 * `conflict` while a job needs it.
 */
export const deleteKey =
  ({ storage, sshFiles, log }: Pick<Dependencies, 'storage' | 'sshFiles' | 'log'>) =>
  async (id: number) => {
    const { name, kept } = await inTransaction(storage, async (session) => {
      const { name } = await findKey(session, id);
      await refuseWhileNeeded(session);
      const patch = { ssh_key_id: null, status: 'failed', error_message: withoutKey } as const;
      const kept = await session.update(sshConnections, { ssh_key_id: id }, patch);
      await session.remove(sshKeys, { id });
      return { name, kept };
    });
    await sshFiles
      .removeKeyPairs()
      .catch((error: unknown) => log.warn('files of the deleted SSH key remain', { error }));
    const connections = kept === 1 ? '1 connection stays' : `${kept} connections stay`;
    return { success: true as const, message: `SSH key ${name} was deleted; ${connections} without a key.` };
  };
