import { type Caller, useCasesOf } from '../../foundation/kernel/index.js';
import { findRepository, openTarget, toolFailure } from '../repositories/index.js';
import { changePassphrase } from './change-passphrase.js';
import { startCheck, startRepair } from './check.js';
import { getCheckSchedule, putCheckSchedule } from './check-schedules.js';
import { startCompact } from './compact.js';
import {
  checkJobView,
  compactJobView,
  listRunningJobs,
  maintenanceJobs,
  prunedArchives,
  pruneJobView,
} from './maintenance-jobs.js';
import type { MaintenanceNeeds } from './needs.js';
import { acceptChanges } from './retention-pauses.js';
import { startSigning } from './sign-archives.js';
import { startPrune } from './start-prune.js';

export const maintenanceUseCases = (dependencies: MaintenanceNeeds) => ({
  ...useCasesOf(dependencies, {
    changePassphrase,
    startCheck,
    startRepair,
    signArchives: startSigning,
    startCompact,
    startPrune,
    acceptChanges,
    breakLock,
    listRunningJobs,
    getCheckSchedule,
    putCheckSchedule,
  }),

  checks: maintenanceJobs(dependencies, 'check', { view: checkJobView, single: checkJobView }),
  compacts: maintenanceJobs(dependencies, 'compact', { view: compactJobView, single: compactJobView }),
  prunes: maintenanceJobs(dependencies, 'prune', {
    view: pruneJobView,
    single: (job) => ({ ...pruneJobView(job), archives: prunedArchives(job) }),
  }),
});

/**
 * Breaks the tool's lock while holding the repository's lane exclusively. Throws AppError `not_found`;
 * `conflict` while a job or reader of this service holds the lane.
 */
async function breakLock(needs: MaintenanceNeeds, caller: Caller, repositoryId: number) {
  const { storage, driver, lanes, log } = needs;
  const repository = await findRepository(storage, { repository_id: repositoryId });
  const { target, release } = openTarget(needs, repository);
  try {
    const what = `a lock break by ${caller.username}`;
    const holder = await lanes.aloneInLane(repositoryId, what, async () => {
      const seen = await driver.lockHolder(target);
      await driver.breakLock(target, {}, {});
      return seen;
    });
    log.warn('the lock of a repository was broken', {
      repository: repositoryId,
      user: caller.username,
      holder,
    });
    const held = holder === null ? 'Its holder is unknown.' : `It was held by ${holder}.`;
    return { success: true as const, message: `The lock of ${repository.name} was broken. ${held}`, holder };
  } catch (error) {
    throw toolFailure(error);
  } finally {
    release();
  }
}
