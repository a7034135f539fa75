import { conflict, invalid } from '../kernel/errors.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { scriptRuns, scripts } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findScript } from './find-script.js';
import { usesOf } from './script-uses.js';

/**
 * AppError `not_found`; `invalid` for a template; `conflict`, naming them, while repositories or schedules
 * use it.
 */
export const deleteScript =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  (id: number): Promise<void> =>
    inTransaction(storage, async (session) => {
      const { name, is_template } = await findScript(session, id);
      if (is_template) throw invalid('A built-in template stays.');
      const uses = await usesOf(session, id);
      const users = [
        ...new Set(uses.repositories.map((each) => `repository ${each.name}`)),
        ...new Set(uses.schedules.map((each) => `schedule ${each.name}`)),
      ];
      if (users.length > 0) {
        throw conflict(
          `The script ${name} is used ${users.length} times: take it from ${users.join(', ')} first.`,
        );
      }
      await session.remove(scriptRuns, { script_id: id });
      await session.remove(scripts, { id });
    });
