import { KeptReads } from '../../runtime/kept-reads.js';
import { repositories } from '../../schema/tables.js';
import { repositoryView } from '../../views/repository-view.js';
import type { Dependencies } from '../dependencies.js';
import { connectionsById } from './connections-by-id.js';
import { runningMaintenance } from './running-maintenance.js';

export const listRepositories = ({ storage }: Pick<Dependencies, 'storage'>) => {
  const kept = new KeptReads(storage);
  return () =>
    kept.read('all', async () => {
      const [rows, maintained, connections] = await Promise.all([
        storage.find(repositories),
        runningMaintenance(storage),
        connectionsById(storage),
      ]);
      const views = rows.map((row) =>
        repositoryView(row, { maintained: maintained.has(row.id), connections }),
      );
      return { success: true as const, repositories: views };
    });
};
