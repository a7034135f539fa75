import type { SshKeyChanges } from '@holdfast/contracts';
import { inTransaction } from '../kernel/in-transaction.js';
import { sshKeys } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findKey } from './system-key.js';
import { viewKey } from './view-key.js';

/** AppError `not_found`. */
export const updateKey =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (id: number, { name, description, is_active }: SshKeyChanges) => {
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
  };
