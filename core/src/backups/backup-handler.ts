import type { Dependencies } from '../dependencies.js';
import { waitsForEarlierRun } from '../hooks/job-journal.js';
import { withHooks } from '../hooks/with-hooks.js';
import { succeeded } from '../jobs/job.rules.js';
import type { JobHandler } from '../jobs/job-contract.js';
import { queueAfterBackup } from '../maintenance/queue-maintenance.js';
import { addArchive } from '../repositories/inventory/recorded-archives.js';
import { settleSlot } from '../schedules/settle-slot.js';
import { repositories } from '../schema/tables.js';
import { endEvents } from './backup-events.js';
import type { BackupOutcome } from './backup-job.js';
import { sayingWhatStopsPrune } from './prune-stopper.js';
import { recoverBackup } from './recover-backup.js';
import { runBackup } from './run-backup.js';

export const backupHandler = (dependencies: Dependencies): JobHandler => ({
  kind: 'backup',
  lane: 'exclusive',
  pulls: ({ source_connection_id }) => source_connection_id !== null,
  // Its archive may be there already, and hooks may be open.
  recoversCancelled: true,
  ...withHooks(
    dependencies,
    sayingWhatStopsPrune({ run: runBackup(dependencies), recover: recoverBackup(dependencies) }),
  ),
  waitsFor: waitsForEarlierRun,
  settle: (job, end, repository) => ({
    events: endEvents(job, end),
    commit: async (session) => {
      const outcome = end.outcome as Partial<BackupOutcome> | null;
      if (madeArchive(outcome) && repository) {
        await addArchive(session, repository, { job, made: outcome, at: dependencies.clock.now() });
      }
      if (repository && job.started_at !== null && !succeeded(end.status)) {
        // Whether it left an archive may be unknown: the next reader of the list asks the tool.
        const unknown = { sweep_due: true, inventory_at: null };
        await session.update(repositories, { id: repository.id }, unknown);
      }
      await settleSlot(dependencies, session, { job, end, repository });
      await queueAfterBackup(dependencies.jobs, session, { job, end, repository });
    },
  }),
});

const madeArchive = (outcome: Partial<BackupOutcome> | null): outcome is BackupOutcome =>
  outcome?.archive !== undefined;
