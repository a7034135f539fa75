import type { ScriptDetails } from '@holdfast/contracts';
import type { StorageSession } from '../../ports/storage.js';
import { scriptDetails } from '../../views/script-view.js';
import type { Dependencies } from '../dependencies.js';
import { findScript } from './find-script.js';
import { usesOf } from './script-uses.js';

export const viewScript = async (session: StorageSession, id: number): Promise<ScriptDetails> =>
  scriptDetails(await findScript(session, id), await usesOf(session, id));

/** AppError `not_found`. */
export const getScript =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  (id: number): Promise<ScriptDetails> =>
    viewScript(storage, id);
