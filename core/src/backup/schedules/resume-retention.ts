import type { ResumeAnswer, ResumeInput } from '@holdfast/contracts';
import { inTransaction } from '../../foundation/kernel/index.js';
import { resumeRetention as resumeIn } from '../maintenance/index.js';
import { findRepository } from '../repositories/index.js';
import { findSchedule } from './calendar/index.js';
import type { SchedulesNeeds } from './needs.js';
import { assertCovers } from './schedule-repositories.js';

/** Lifts pauses. Does nothing where there is none. Throws AppError `not_found`, `invalid`. */
export function resumeRetention(
  { storage }: SchedulesNeeds,
  id: number,
  { repository_id = null }: ResumeInput,
): Promise<ResumeAnswer> {
  return inTransaction(storage, async (session) => {
    const schedule = await findSchedule(session, id);
    if (repository_id !== null)
      await assertCovers(session, schedule, await findRepository(session, { repository_id }));
    const repository_ids = await resumeIn(session, { scheduleId: id, repositoryId: repository_id });
    const message =
      repository_ids.length === 0
        ? `Pruning for schedule ${schedule.name} was not paused.`
        : `Schedule ${schedule.name} prunes again at its next run.`;
    return { success: true as const, message, repository_ids };
  });
}
