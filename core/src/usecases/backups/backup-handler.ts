import type { JobHandler } from '../../runtime/job-contract.js';
import type { Dependencies } from '../dependencies.js';
import { addArchive } from '../inventory/add-archive.js';
import { endEvents } from './backup-events.js';
import type { BackupOutcome } from './backup-job.js';
import { recoverBackup } from './recover-backup.js';
import { runBackup } from './run-backup.js';

export const backupHandler = (dependencies: Dependencies): JobHandler => ({
  kind: 'backup',
  lane: 'exclusive',
  run: runBackup(dependencies),
  recover: recoverBackup(dependencies),
  settle: (job, end, repository) => ({
    events: endEvents(job, end),
    commit: async (session) => {
      const outcome = end.outcome as BackupOutcome | null;
      if (outcome && repository) await addArchive(session, repository, outcome, dependencies.clock.now());
    },
  }),
});
