import { repositories } from '../../schema/tables.js';
import { repositoryView } from '../../views/repository-view.js';
import type { Dependencies } from '../dependencies.js';
import { runningMaintenance } from './running-maintenance.js';

export const listRepositories =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async () => {
    const [rows, maintained] = await Promise.all([storage.find(repositories), runningMaintenance(storage)]);
    const views = rows.map((row) => repositoryView(row, maintained.has(row.id)));
    return { success: true as const, repositories: views };
  };
