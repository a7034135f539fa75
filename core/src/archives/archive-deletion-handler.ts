import type { JobHandler } from '../jobs/job-contract.js';
import { repositories } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { archivesChanged } from '../repositories/inventory/archives-changed.js';
import { removeArchives } from '../repositories/inventory/remove-archives.js';
import { recoverArchiveDeletion, runArchiveDeletion } from './run-archive-deletion.js';

export const archiveDeletionHandler = (
  dependencies: Pick<Dependencies, 'driver' | 'secrets' | 'redactor'>,
): JobHandler => ({
  kind: 'archive_deletion',
  lane: 'exclusive',
  run: runArchiveDeletion(dependencies),
  recover: recoverArchiveDeletion(dependencies),
  settle: (job, end, repository) => {
    if (!repository) return {};
    const removed = [String(job.parameters.archive)];
    if (end.status === 'completed' || end.status === 'completed_with_warnings') {
      return {
        events: [archivesChanged(repository.id, { removed }, job.id)],
        commit: async (session) => {
          await removeArchives(session, repository.id, removed);
          const stored_size = end.outcome?.repositoryStoredSize;
          if (typeof stored_size !== 'number') return;
          await session.update(repositories, { id: repository.id }, { stored_size });
        },
      };
    }
    if (job.started_at === null) return {};
    // Whether the archive is still there is not known: the next reader asks the tool.
    return {
      commit: async (session) =>
        void (await session.update(repositories, { id: repository.id }, { inventory_at: null })),
    };
  },
});
