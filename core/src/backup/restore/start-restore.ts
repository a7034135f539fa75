import type { RestoreStartInput } from '@holdfast/contracts';
import { findJob, jobs, lastLines } from '../../engine/jobs/index.js';
import type { Caller } from '../../foundation/kernel/index.js';
import {
  conflict,
  inTransaction,
  invalid,
  isAppError,
  notFound,
  requireConfirmation,
  say,
} from '../../foundation/kernel/index.js';
import { findArchive } from '../archives/index.js';
import { findRepository, requireRightToFiles } from '../repositories/index.js';
import type { RestoreNeeds } from './needs.js';
import { makeOrder, type OrderNeeds, refuseOtherPlaces } from './plan-restore.js';
import { cannotRestore, type RestoreOrder, type RestoreParameters, targetChanged } from './restore.rules.js';
import { restoreJobView } from './restore-view.js';
import { changedSince } from './stage/target-files.fs.js';
import { type RestorePlanRow, restorePlans } from './tables.js';
import { atTarget } from './targets.js';

type Needs = OrderNeeds & Pick<RestoreNeeds, 'jobs' | 'driver'>;

/**
 * Queues a restore, with or without a plan. Throws AppError `not_found`, `invalid`; `conflict` for a plan
 * that is outdated, another user's, or already used.
 */
export const startRestore = (needs: Needs) => {
  const make = makeOrder(needs);
  return async (caller: Caller, { plan_id: key, ...input }: RestoreStartInput) => {
    if (!needs.driver.extract) throw invalid(cannotRestore);
    const asked = isWhole(input) ? (await make(caller, input)).order : null;
    const plan = key === undefined ? null : await usePlan(needs, caller, key, asked);
    const order = plan?.order ?? asked;
    if (!order)
      throw invalid(say`restore_order_incomplete: Send plan_id, or repository, archive and destination.`);
    refuseOtherPlaces(caller, order);
    const waitsFor = await needs.jobs.waitsFor(order.repositoryId);
    const job = await inTransaction(needs.storage, async (session) => {
      const repository = await findRepository(session, { repository_id: order.repositoryId });
      const now = needs.clock.now();
      requireRightToFiles(caller, repository, now);
      if (order.overwrite) requireConfirmation(caller, now);
      const parameters: RestoreParameters = { ...order, planId: plan?.id ?? null };
      const requestedBy = caller.username;
      const queued = await needs.jobs.insert(
        { kind: 'restore', repository, parameters, requestedBy },
        session,
      );
      if (plan) {
        const taken = await session.update(
          restorePlans,
          { id: plan.id, job_id: null },
          { job_id: queued.id },
        );
        if (taken === 0) throw used();
      }
      return queued;
    });
    needs.jobs.wake(job.id);
    const message = waitsFor ? `Restore queued; it waits for ${waitsFor}.` : 'Restore queued.';
    return { success: true as const, job_id: job.id, status: 'pending' as const, message };
  };
};

type Whole = Parameters<ReturnType<typeof makeOrder>>[1];
const isWhole = (input: Omit<RestoreStartInput, 'plan_id'>): input is Whole =>
  input.archive !== undefined && input.destination !== undefined;

const used = () =>
  conflict(say`restore_plan_used: This plan was already used: make a new one with POST /api/restore/plan.`);

/** Returns the plan after checking that nothing has changed since it was made. */
async function usePlan(
  needs: Needs,
  caller: Caller,
  key: string,
  asked: RestoreOrder | null,
): Promise<RestorePlanRow> {
  const [plan] = await needs.storage.find(restorePlans, { where: { key }, limit: 1 });
  if (!plan)
    throw notFound(say`restore_plan_unknown: There is no such plan: make one with POST /api/restore/plan.`);
  if (plan.requested_by !== caller.username)
    throw conflict(say`restore_plan_of_other_user: This plan belongs to another user: make your own.`);
  if (plan.job_id !== null) throw used();
  if (plan.expires_at <= needs.clock.now())
    throw conflict(say`restore_plan_expired: This plan has expired: make a new one.`);
  if (asked && JSON.stringify(asked) !== JSON.stringify(plan.order)) {
    throw conflict(
      say`restore_plan_mismatch: plan_id does not match the other fields. Leave them out, or make a new plan.`,
    );
  }
  const { repositoryId, archive, archiveId } = plan.order;
  const found = await findArchive(needs, { repository_id: repositoryId, archive }).catch((error: unknown) => {
    if (isAppError(error) && error.code === 'not_found') return null;
    throw error;
  });
  if (found?.archive.tool_id !== archiveId) {
    throw conflict(
      say`restore_plan_archive_changed: Archive ${{ archive }} has changed since the plan was made: make a new plan.`,
    );
  }
  const [obstacle] = plan.obstacles;
  if (obstacle) throw conflict(say`restore_plan_obstructed: ${{ obstacle }} Then make a new plan.`);
  const changed = await atTarget(needs, plan.order.destinationConnectionId, (place) =>
    changedSince(place, plan.stamps),
  );
  if (changed) throw conflict(targetChanged(changed));
  return plan;
}

const shownLines = 1_000;

/** Newest first. */
export async function listRestoreJobs({ storage }: RestoreNeeds, { limit }: { limit: number }) {
  const rows = await storage.find(jobs, { where: { kind: 'restore' }, order: [['id', 'desc']], limit });
  return { success: true as const, jobs: rows.map(restoreJobView) };
}

/** Throws AppError `not_found`. */
export async function getRestoreStatus(needs: RestoreNeeds, jobId: number) {
  const job = await findJob(needs.storage, 'restore', jobId);
  return { success: true as const, ...restoreJobView(job), logs: await lastLines(needs, job, shownLines) };
}

/**
 * Before the first move into place the target stays unchanged; after that the restore completes. Throws as
 * `cancel`.
 */
export async function cancelRestore({ jobs: queue }: RestoreNeeds, jobId: number) {
  const { terminated, job } = await queue.cancel(jobId, 'restore');
  const message =
    job.status === 'cancelled'
      ? 'Restore cancelled; the target is unchanged.'
      : 'Cancelling: Borg is being stopped.';
  return { success: true as const, message, process_terminated: terminated };
}
