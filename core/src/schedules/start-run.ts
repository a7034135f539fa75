import { factsOf, type ScheduledBackupParameters } from '../calendar/schedule.rules.js';
import type { SlotTrigger } from '../calendar/slot.rules.js';
import { isAppError } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import type { RepositoryRow, ScheduleRow, SlotRow } from '../schema/tables.js';
import { schedules, slots } from '../schema/tables.js';
import { refuseUnlessBackable } from '../backups/backable.js';
import type { Dependencies } from '../dependencies.js';
import { repositoriesOf } from './schedule-repositories.js';

type Needs = Pick<Dependencies, 'jobs' | 'clock'>;

export interface Run {
  schedule: ScheduleRow;
  plannedAt: number;
  trigger: SlotTrigger;
  /** Name of the user, or of the schedule. */
  requestedBy: string;
}

/** One backup job for each of the repositories, in order, and the slot that holds them together. */
export async function startRun(
  { jobs, clock }: Needs,
  session: StorageSession,
  { run, repositories }: { run: Run; repositories: readonly RepositoryRow[] },
): Promise<SlotRow> {
  const { schedule, plannedAt, trigger, requestedBy } = run;
  const now = clock.now();
  const slot = await session.insert(slots, {
    ...{ schedule_id: schedule.id, planned_at: plannedAt, trigger, outcome: 'running' },
    ...{ started_at: now, late_ms: Math.max(0, now - plannedAt), job_ids: [] },
  });
  const parameters: ScheduledBackupParameters = {
    schedule: factsOf(schedule, plannedAt, repositories.length > 1),
  };
  const about = { kind: 'backup' as const, parameters, requestedBy };
  const job_ids: number[] = [];
  for (const repository of repositories) {
    const links = { scheduleId: schedule.id, slotId: slot.id };
    const { id } = await jobs.insert({ ...about, ...links, repository }, session);
    job_ids.push(id);
  }
  await session.update(slots, { id: slot.id }, { job_ids });
  const late = trigger === 'schedule' ? { last_late_ms: slot.late_ms } : {};
  await session.update(schedules, { id: schedule.id }, { last_run: now, last_error: null, ...late });
  return { ...slot, job_ids };
}

/**
 * The repositories to run for, or why there is nothing to run. One that can't take backups is left in as long as
 * another one can: its job fails and says so, where the person looks.
 */
export async function runnable(
  session: StorageSession,
  scheduleId: number,
): Promise<{ repositories: RepositoryRow[] } | { refusal: string }> {
  const repositories = (await repositoriesOf(session, [scheduleId])).get(scheduleId) ?? [];
  const problems = repositories.map(problemOf).filter((problem) => problem !== null);
  if (repositories.length > problems.length) return { repositories };
  if (problems.length > 0) return { refusal: problems.join(' ') };
  return { refusal: 'The schedule has no repositories: add one with PUT /api/schedule/{job_id}.' };
}

function problemOf(repository: RepositoryRow): string | null {
  try {
    refuseUnlessBackable(repository);
    return null;
  } catch (error) {
    if (isAppError(error)) return error.detail;
    throw error;
  }
}
