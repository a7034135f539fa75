import type { AfterJob, JobHandler } from '../../engine/jobs/index.js';
import { succeeded } from '../../engine/jobs/index.js';
import { waitsForEarlierRun, waitsForRelease, withHooks } from '../hooks/index.js';
import { addArchive, type BackupOutcome, noteMassChange, noteRepository } from '../repositories/index.js';
import { retryAt } from '../schedules/calendar/index.js';
import { waitsForClaims } from '../sources/index.js';
import { endEvents } from './backup-events.js';
import type { BackupsNeeds } from './needs.js';
import { withPruneSkipLogged } from './prune-skip-reason.js';
import { recoverBackup } from './recover-backup.js';
import { runBackup } from './run-backup.js';

/** @param afterwards run in this order, in the transaction that ends the backup */
export const backupHandler = (dependencies: BackupsNeeds, afterwards: readonly AfterJob[]): JobHandler => ({
  kind: 'backup',
  lane: 'exclusive',
  pulls: ({ source_connection_id }) => source_connection_id !== null,
  // The archive may exist already, and hooks may still have to run.
  recoversCancelled: true,
  ...withHooks(
    dependencies,
    withPruneSkipLogged(dependencies, {
      run: runBackup.bind(null, dependencies),
      recover: recoverBackup.bind(null, dependencies),
    }),
  ),
  waitsFor: async (session, job) =>
    (await waitsForEarlierRun(session, job)) ??
    (await waitsForClaims(dependencies, session, job)) ??
    waitsForRelease(dependencies, session, job),
  settle: (job, end, repository) => ({
    // What is tried again is reported when it has failed for the last time.
    events: retryAt(job) === null ? endEvents(job, end) : [],
    commit: async (session, record) => {
      const outcome = end.outcome as Partial<BackupOutcome> | null;
      if (madeArchive(outcome) && repository) {
        const at = dependencies.clock.now();
        const { id, name } = outcome.archive;
        await addArchive(session, repository, { job, made: outcome, at });
        if (outcome.massChange)
          await noteMassChange(session, repository.id, {
            mass_change: { ...outcome.massChange, archive: { id, name }, job_id: job.id },
            mass_change_at: at,
          });
      }
      if (repository && job.started_at !== null && !succeeded(end.status)) {
        // The backup may have left an archive, so the next reader of the list asks the tool. It took none away: what
        // is known of the others still counts.
        const { inventory_at: seen } = repository;
        const old = seen && Math.min(seen, dependencies.clock.now() - oldListMs);
        await noteRepository(session, repository.id, { sweep_due: true, inventory_at: old });
      }
      for (const follow of afterwards) await follow(session, { job, end, repository }, record);
    },
  }),
});

/** Lists of this age are read again by whoever wants to know. */
const oldListMs = 3_600_000;

const madeArchive = (outcome: Partial<BackupOutcome> | null): outcome is BackupOutcome =>
  outcome?.archive !== undefined;
