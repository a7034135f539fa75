import type { ScriptView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import { repositoryScripts, scripts } from '../schema/tables.js';
import { scriptView, withoutTexts } from './script-view.js';
import type { Dependencies } from '../dependencies.js';

export interface ScriptsQuery {
  category?: string | undefined;
  search?: string | undefined;
}

/** Newest first. `search` is part of the name or the description, in any case. */
export const listScripts =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller, { category, search }: ScriptsQuery): Promise<ScriptView[]> => {
    const rows = await storage.find(scripts, { order: [['id', 'desc']] });
    const counts = await storage.aggregate(repositoryScripts, {
      groupBy: ['script_id'],
      measures: { uses: { count: true } },
    });
    const uses = new Map(counts.map((row) => [row.script_id, row.uses ?? 0]));
    const wanted = search?.toLowerCase() ?? '';
    return rows
      .filter((row) => category === undefined || row.category === category)
      .filter(({ name, description }) => `${name}\n${description ?? ''}`.toLowerCase().includes(wanted))
      .map((row) => withoutTexts(caller, scriptView(row, uses.get(row.id) ?? 0)));
  };
