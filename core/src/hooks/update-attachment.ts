import type { AttachmentChanges } from '@holdfast/contracts';
import { inTransaction } from '../kernel/in-transaction.js';
import { repositoryScripts } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findScript } from './find-script.js';
import { sealValues } from './parameter-values.js';
import { type AttachmentKey, attachmentWritten, findAttachment } from './view-attachments.js';

type Needs = Pick<Dependencies, 'storage' | 'secrets'>;

/** Values replace the whole set; a secret that is sent back masked stays. AppError `not_found`, `invalid`. */
export const updateAttachment =
  ({ storage, secrets }: Needs) =>
  async (key: AttachmentKey, { parameter_values: given, ...rest }: AttachmentChanges) => {
    await inTransaction(storage, async (session) => {
      const row = await findAttachment(session, key);
      const script = await findScript(session, row.script_id);
      const patch: Record<string, unknown> = Object.fromEntries(
        Object.entries(rest).filter(([, value]) => value !== undefined),
      );
      if (given !== undefined) {
        const values = sealValues(secrets, script, { given: given ?? {}, stored: row.parameter_values });
        patch.parameter_values = given === null ? null : values;
      }
      if (Object.keys(patch).length > 0) await session.update(repositoryScripts, { id: row.id }, patch);
    });
    return attachmentWritten(storage, key);
  };
