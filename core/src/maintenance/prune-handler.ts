import type { PruneOutcome, PruneParameters } from './maintenance-job.rules.js';
import { succeeded } from '../jobs/maintenance-status.rules.js';
import type { StorageSession } from '../ports/storage.js';
import type { JobEnd, JobHandler } from '../jobs/job-contract.js';
import { repositories, schedules } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { archivesChanged } from '../repositories/inventory/archives-changed.js';
import { removeArchives } from '../repositories/inventory/remove-archives.js';
import { type EndedJob, queueAfterPrune } from './queue-maintenance.js';
import { type PruneNeeds, recoverPrune, runPrune } from './run-prune.js';

export const pruneHandler = (needs: PruneNeeds & Pick<Dependencies, 'jobs'>): JobHandler => ({
  kind: 'prune',
  lane: 'exclusive',
  run: runPrune(needs),
  recover: recoverPrune(needs),
  settle: (job, end, repository) => {
    const removed = outcomeOf(end)?.removed ?? [];
    const ended: EndedJob = { job, end, repository };
    return {
      events: repository && removed.length > 0 ? [archivesChanged(repository.id, { removed }, job.id)] : [],
      commit: async (session) => {
        await updateInventory(session, ended);
        const { scheduleId, byHand } = job.parameters as PruneParameters;
        if (end.status === 'completed' && scheduleId !== null && !byHand?.dryRun) {
          await session.update(schedules, { id: scheduleId }, { last_prune: needs.clock.now() });
        }
        await queueAfterPrune(needs.jobs, session, ended);
      },
    };
  },
});

/** What an unsuccessful end left says nothing about the archives. */
const outcomeOf = ({ status, outcome }: JobEnd): PruneOutcome | null =>
  succeeded(status) ? (outcome as PruneOutcome | null) : null;

async function updateInventory(session: StorageSession, { job, end, repository }: EndedJob): Promise<void> {
  if (!repository) return;
  const { id } = repository;
  const outcome = outcomeOf(end);
  if (outcome) {
    await removeArchives(session, id, outcome.removed);
    const stored_size = outcome.repositoryStoredSize;
    if (stored_size !== null) await session.update(repositories, { id }, { stored_size });
  } else if (job.started_at !== null) {
    // Which archives are still there is not known: the next reader asks the tool.
    await session.update(repositories, { id }, { inventory_at: null });
  }
}
