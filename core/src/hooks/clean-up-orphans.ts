import { inTransaction } from '../kernel/in-transaction.js';
import { repositories, repositoryScripts, scriptRuns, scripts } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';

/** Removes attachments and records of runs whose repository or script is gone. */
export const cleanUpOrphans =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async () => {
    const cleaned_up = await inTransaction(storage, async (session) => {
      const known = new Set((await session.find(scripts)).map(({ id }) => id));
      const registered = new Set((await session.find(repositories)).map(({ id }) => id));
      let removed = 0;
      for (const { id, script_id, repository_id } of await session.find(repositoryScripts)) {
        if (known.has(script_id) && registered.has(repository_id)) continue;
        removed += await session.remove(repositoryScripts, { id });
      }
      const recorded = await session.aggregate(scriptRuns, {
        groupBy: ['script_id'],
        measures: { runs: { count: true } },
      });
      for (const { script_id } of recorded) {
        if (!known.has(script_id)) removed += await session.remove(scriptRuns, { script_id });
      }
      return removed;
    });
    const message = cleaned_up === 0 ? 'Nothing was left over.' : `${cleaned_up} leftovers were removed.`;
    return { success: true as const, cleaned_up, message };
  };
