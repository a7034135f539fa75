import type { CompactParameters } from './maintenance-job.rules.js';
import { succeeded } from '../jobs/maintenance-status.rules.js';
import type { JobHandler } from '../jobs/job-contract.js';
import { repositories, schedules } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { finishAfterCompact } from './queue-maintenance.js';
import { type CompactNeeds, recoverCompact, runCompact } from './run-compact.js';

export const compactHandler = (needs: CompactNeeds & Pick<Dependencies, 'clock'>): JobHandler => ({
  kind: 'compact',
  lane: 'exclusive',
  run: runCompact(needs),
  recover: recoverCompact,
  settle: (job, end, repository) => ({
    commit: async (session) => {
      if (succeeded(end.status)) {
        const now = { last_compact: needs.clock.now() };
        const { scheduleId } = job.parameters as CompactParameters;
        if (scheduleId !== null && end.status === 'completed') {
          await session.update(schedules, { id: scheduleId }, now);
        }
        if (repository) await session.update(repositories, { id: repository.id }, now);
      }
      await finishAfterCompact(session, { job, end, repository });
    },
  }),
});
