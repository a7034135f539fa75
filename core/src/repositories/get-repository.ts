import type { RepositoryView } from '@holdfast/contracts';
import type { Caller } from '../kernel/caller.rules.js';
import type { StorageSession } from '../ports/storage.js';
import { repositoryView, repositoryViewFor } from './repository-view.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from './find-repository.js';
import { connectionsById } from './connections-by-id.js';
import { runningMaintenance } from './running-maintenance.js';

export const getRepository =
  ({ storage }: Pick<Dependencies, 'storage'>) =>
  async (caller: Caller, id: number) => ({
    success: true as const,
    repository: repositoryViewFor(caller, await viewRepository(storage, id)),
  });

/** With the texts of its hooks: for administrators. AppError `not_found`. */
export async function viewRepository(storage: StorageSession, id: number): Promise<RepositoryView> {
  const row = await findRepository(storage, { repository_id: id });
  const maintained = (await runningMaintenance(storage)).has(id);
  return repositoryView(row, { maintained, connections: await connectionsById(storage) });
}
