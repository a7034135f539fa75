import type { JobHandler } from '../../engine/jobs/index.js';
import { recoverRestore } from './recover-restore.js';
import { type RunNeeds, restoreEvents, runRestore } from './run-restore.js';
import { restoreRuns } from './tables.js';

export const restoreHandler = (needs: RunNeeds): JobHandler => ({
  kind: 'restore',
  lane: 'shared',
  recoversCancelled: true,
  run: runRestore.bind(null, needs),
  recover: recoverRestore.bind(null, needs),
  settle: (job, end) => ({
    events: restoreEvents(job, end),
    commit: async (session) => void (await session.remove(restoreRuns, { job_id: job.id })),
  }),
});
