import type { StorageSession } from '@holdfast/plugin-api';
import { type JobRow, jobs } from '../jobs/tables.js';
import type { Caller } from '../kernel/index.js';
import { conflict, inTransaction, invalid, say } from '../kernel/index.js';
import { findRepository } from '../repositories/index.js';
import type { DrillParameters } from './drill.rules.js';
import { findDrillSchedule, noDrillSchedule } from './drill-schedules.js';
import type { DrillsNeeds } from './needs.js';
import { cannotDrill } from './run-drill.js';
import type { DrillScheduleRow } from './tables.js';

type Picked = Pick<DrillScheduleRow, 'sample_files' | 'sample_bytes' | 'fixed_paths'>;

export const parametersOf = (picked: Picked, plannedAt: number | null): DrillParameters => ({
  sampleFiles: picked.sample_files,
  sampleBytes: picked.sample_bytes,
  fixedPaths: picked.fixed_paths,
  plannedAt,
});

/** A drill of the repository that has not ended. */
export async function openDrill(session: StorageSession, repositoryId: number): Promise<JobRow | null> {
  const open = { status: { in: ['pending', 'running'] as const } };
  const where = { repository_id: repositoryId, kind: 'drill' as const, ...open };
  const [job] = await session.find(jobs, { where, limit: 1 });
  return job ?? null;
}

/** Queues a drill by hand. Throws AppError `not_found`, `invalid`; `conflict` beside another one. */
export const startDrill =
  ({ storage, jobs: queue, driver }: Pick<DrillsNeeds, 'storage' | 'jobs' | 'driver'>) =>
  async (caller: Caller, repositoryId: number) => {
    if (!driver.extract) throw invalid(cannotDrill);
    const waitsFor = await queue.waitsFor(repositoryId);
    const job = await inTransaction(storage, async (session) => {
      const repository = await findRepository(session, { repository_id: repositoryId });
      const open = await openDrill(session, repositoryId);
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
  };

const alreadyQueued = ({ id: job, status }: JobRow) =>
  conflict(
    say(
      'drill_already_queued',
    )`Drill rejected: drill job ${{ job }} of this repository is already ${{ status }}. Wait for it to end, or cancel it.`,
  );
