import type { CheckOutcome, CheckParameters } from './maintenance-job.rules.js';
import { succeeded } from '../jobs/maintenance-status.rules.js';
import type { JobHandler } from '../jobs/job-contract.js';
import { repositories } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { markDamaged } from '../repositories/inventory/mark-damaged.js';
import { checkEvents, isMadeUpFor } from './check-events.js';
import { type CheckNeeds, recoverCheck, runCheck } from './run-check.js';

export const checkHandler = (needs: CheckNeeds & Pick<Dependencies, 'clock' | 'jobs'>): JobHandler => ({
  kind: 'check',
  lane: 'exclusive',
  run: runCheck(needs),
  recover: recoverCheck,
  settle: (job, end, repository) => ({
    events: checkEvents(job, end),
    commit: async (session) => {
      if (!repository) return;
      const { id } = repository;
      if (isMadeUpFor(job, end)) {
        const parameters = { ...job.parameters, rerunOf: job.id };
        const again = { kind: 'check' as const, repository, parameters, requestedBy: job.requested_by };
        await needs.jobs.insert(again, session);
      }
      const { repair, maxSeconds } = job.parameters as CheckParameters;
      const { damagedArchives: names = [], confined = false } = (end.outcome ?? {}) as Partial<CheckOutcome>;
      const all = confined || (succeeded(end.status) && maxSeconds === 0);
      await markDamaged(session, id, { names, all });
      if (repair) {
        // Repaired archives are new ones under their old names: the next reader asks the tool.
        if (job.started_at !== null) await session.update(repositories, { id }, { inventory_at: null });
      } else if (succeeded(end.status) && maxSeconds === 0) {
        await session.update(repositories, { id }, { last_check: needs.clock.now() });
      }
    },
  }),
});
