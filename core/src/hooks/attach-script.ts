import type { NewAttachment } from '@holdfast/contracts';
import { conflict, isStoreError } from '../kernel/errors.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { repositoryScripts } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from '../repositories/find-repository.js';
import { findScript } from './find-script.js';
import { sealValues } from './parameter-values.js';
import { attachmentWritten } from './view-attachments.js';

type Needs = Pick<Dependencies, 'storage' | 'secrets' | 'clock'>;

/** AppError `not_found` (repository, script), `invalid` (values), `conflict` (attached there already). */
export const attachScript =
  (needs: Needs) =>
  async (repositoryId: number, { script_id, parameter_values, ...rest }: NewAttachment) => {
    const { storage, secrets, clock } = needs;
    const work = () =>
      inTransaction(storage, async (session) => {
        await findRepository(session, { repository_id: repositoryId });
        const script = await findScript(session, script_id);
        const given = parameter_values ?? {};
        const values = sealValues(secrets, script, { given, stored: null });
        return session.insert(repositoryScripts, {
          ...{ ...rest, repository_id: repositoryId, script_id, created_at: clock.now() },
          custom_timeout: rest.custom_timeout ?? null,
          custom_run_on: rest.custom_run_on ?? null,
          parameter_values: parameter_values ? values : null,
        });
      });
    const { id } = await sayingItIsAttached(work);
    return attachmentWritten(storage, { repositoryId, attachmentId: id });
  };

async function sayingItIsAttached<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw conflict('The script is attached there already: change that attachment.', { cause: error });
  }
}
