import { inTransaction } from '../kernel/in-transaction.js';
import { repositoryScripts } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { type AttachmentKey, findAttachment } from './view-attachments.js';

/** Backups that run keep the hooks that they began with. AppError `not_found`. */
export const detachScript =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  (key: AttachmentKey): Promise<void> =>
    inTransaction(storage, async (session) => {
      const { id } = await findAttachment(session, key);
      await session.remove(repositoryScripts, { id });
    });
