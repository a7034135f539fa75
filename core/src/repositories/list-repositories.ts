import type { Caller } from '../kernel/caller.rules.js';
import { KeptReads } from '../kernel/kept-reads.js';
import { repositories } from '../schema/tables.js';
import { repositoryView, repositoryViewFor } from './repository-view.js';
import type { Dependencies } from '../dependencies.js';
import { connectionsById } from './connections-by-id.js';
import { runningMaintenance } from './running-maintenance.js';

export const listRepositories = ({ storage }: Pick<Dependencies, 'storage'>) => {
  const kept = new KeptReads(storage);
  const readAll = () =>
    kept.read('all', async () => {
      const [rows, maintained, connections] = await Promise.all([
        storage.find(repositories),
        runningMaintenance(storage),
        connectionsById(storage),
      ]);
      return rows.map((row) => repositoryView(row, { maintained: maintained.has(row.id), connections }));
    });
  return async (caller: Caller) => ({
    success: true as const,
    repositories: (await readAll()).map((view) => repositoryViewFor(caller, view)),
  });
};
