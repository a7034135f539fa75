import type { ScriptDetails } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import type { StorageSession } from '../ports/storage.js';
import { scriptDetails, withoutTexts } from './script-view.js';
import type { Dependencies } from '../dependencies.js';
import { findScript } from './find-script.js';
import { usesOf } from './script-uses.js';

/** With its text: for administrators. */
export const viewScript = async (session: StorageSession, id: number): Promise<ScriptDetails> =>
  scriptDetails(await findScript(session, id), await usesOf(session, id));

/** AppError `not_found`. */
export const getScript =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller, id: number): Promise<ScriptDetails> =>
    withoutTexts(caller, await viewScript(storage, id));
