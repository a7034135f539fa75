import type { JobRow } from '../../engine/jobs/index.js';
import type { Caller } from '../../foundation/kernel/index.js';
import { conflict, inTransaction, invalid, say } from '../../foundation/kernel/index.js';
import { findRepository } from '../repositories/index.js';
import { unfinishedJob } from '../schedules/calendar/index.js';
import { findDrillSchedule, noDrillSchedule, parametersOf } from './drill-schedules.js';
import type { DrillsNeeds } from './needs.js';
import { cannotDrill } from './run-drill.js';

/** Queues a manual drill. Throws AppError `not_found`, `invalid`; `conflict` during another one. */
export async function startDrill(
  { storage, jobs: queue, driver }: DrillsNeeds,
  caller: Caller,
  repositoryId: number,
) {
  if (!driver.extract) throw invalid(cannotDrill);
  const waitsFor = await queue.waitsFor(repositoryId);
  const job = await inTransaction(storage, async (session) => {
    const repository = await findRepository(session, { repository_id: repositoryId });
    const open = await unfinishedJob(session, repositoryId, 'drill');
    if (open) throw alreadyQueued(open);
    const parameters = parametersOf(
      (await findDrillSchedule(session, repositoryId)) ?? noDrillSchedule,
      null,
    );
    return queue.insert({ kind: 'drill', repository, parameters, requestedBy: caller.username }, session);
  });
  queue.wake(job.id);
  const message = waitsFor ? `Drill queued; it waits for ${waitsFor}.` : 'Drill queued.';
  return { success: true as const, job_id: job.id, status: 'pending' as const, message };
}

const alreadyQueued = ({ id: job, status }: JobRow) =>
  conflict(
    say`drill_already_queued: Drill rejected: drill job ${{ job }} of this repository is already ${{ status }}. Wait for it to end, or cancel it.`,
  );
