import { randomUUID } from 'node:crypto';
import type { NewScript, ScriptDetails } from '@holdfast/contracts';
import { detectParameters } from './script.rules.js';
import { conflict, isStoreError } from '../kernel/errors.js';
import { scripts } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { viewScript } from './get-script.js';

/** Parameters that are not given are taken from the text. AppError `conflict` (name). */
export const createScript =
  ({ storage, clock }: Pick<Dependencies, 'storage' | 'clock'>) =>
  async (input: NewScript): Promise<ScriptDetails> => {
    const { name, content, category, timeout, run_on, description, parameters } = input;
    const now = clock.now();
    const row = await sayingNameIsTaken(() =>
      storage.insert(scripts, {
        ...{ uid: randomUUID(), name, content, category, timeout, run_on },
        description: description?.trim() ? description : null,
        parameters: parameters ?? detectParameters(content),
        ...{ created_at: now, updated_at: now },
      }),
    );
    return viewScript(storage, row.id);
  };

/** Runs a write of a script; a taken name becomes AppError `conflict`. */
export async function sayingNameIsTaken<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isStoreError(error, 'unique') || error.key !== 'name') throw error;
    throw conflict('Another script has this name: choose another.', { cause: error });
  }
}
