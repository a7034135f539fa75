import type { ScheduleRun } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { JobRow } from '../../engine/jobs/index.js';
import type { EventRow } from '../../foundation/events/index.js';
import type { Caller } from '../../foundation/kernel/index.js';
import {
  inTransaction,
  invalid,
  isAppError,
  isoTime,
  lastErrorColumns,
  type Message,
  messageOf,
  say,
  shownParams,
  together,
} from '../../foundation/kernel/index.js';
import { assertBackable } from '../backups/index.js';
import { type RepositoryRow, repositories } from '../repositories/tables.js';
import {
  factsOf,
  findSchedule,
  repositoriesOf,
  type ScheduledBackupParameters,
  type SlotNeeds,
  type SlotTrigger,
  scheduleFailure,
} from './calendar/index.js';
import type { SchedulesNeeds } from './needs.js';
import { type ScheduleRow, type SlotRow, schedules, slots } from './tables.js';

/**
 * Starts a run at once, even of a disabled schedule. Throws AppError `not_found`; `invalid` when it can't
 * run.
 */
export async function runScheduleNow(needs: SchedulesNeeds, caller: Caller, id: number) {
  const { jobs, storage, events } = needs;
  const { started, name } = await inTransaction(storage, async (session) => {
    const schedule = await findSchedule(session, id);
    return { started: await start(needs, session, { schedule, caller }), name: schedule.name };
  });
  if ('problem' in started) {
    events.announce([started.event]);
    throw invalid(started.problem);
  }
  const { slot } = started;
  for (const jobId of slot.job_ids) jobs.wake(jobId);
  const [job_id = 0] = slot.job_ids;
  const count = slot.job_ids.length;
  const message = `Schedule ${name} was started: ${count === 1 ? '1 backup' : `${count} backups`} queued.`;
  return { success: true as const, job_id, job_ids: slot.job_ids, status: 'pending' as const, message };
}

type Started = { slot: SlotRow } | { problem: Message; event: EventRow };

/** A run that cannot start is also reported by notification, not only to the caller. */
async function start(
  needs: SchedulesNeeds,
  session: StorageSession,
  { schedule, caller }: { schedule: ScheduleRow; caller: Caller },
): Promise<Started> {
  const able = await runnable(session, schedule.id);
  if ('problem' in able) {
    const { problem } = able;
    const concerned = (await repositoriesOf(session, [schedule.id])).get(schedule.id);
    const failure = scheduleFailure(schedule, { error: problem.text }, concerned);
    return { problem, event: await needs.events.record(session, failure) };
  }
  const plannedAt = await freeInstant(session, schedule.id, needs.clock.now());
  const run = { schedule, plannedAt, trigger: 'run_now' as const, requestedBy: caller.username };
  return { slot: await startRun(needs, session, { run, repositories: able.repositories }) };
}

/** The ledger has one row per instant. A second run in the same millisecond gets the next free one. */
async function freeInstant(session: StorageSession, scheduleId: number, now: number): Promise<number> {
  for (let at = now; ; at++) {
    const where = { schedule_id: scheduleId, planned_at: at };
    if ((await session.find(slots, { where, limit: 1 })).length === 0) return at;
  }
}

export interface Run {
  schedule: ScheduleRow;
  plannedAt: number;
  trigger: SlotTrigger;
  /** Name of the user, or of the schedule. */
  requestedBy: string;
}

/** Queues one backup job per repository, in order, and creates the slot that groups them. */
export async function startRun(
  needs: SlotNeeds,
  session: StorageSession,
  { run, repositories }: { run: Run; repositories: readonly RepositoryRow[] },
): Promise<SlotRow> {
  const { schedule, plannedAt, trigger } = run;
  const now = needs.clock.now();
  const slot = await session.insert(slots, {
    schedule_id: schedule.id,
    planned_at: plannedAt,
    trigger,
    outcome: 'running',
    started_at: now,
    late_ms: Math.max(0, now - plannedAt),
    job_ids: [],
  });
  const job_ids = await queueRun(needs, session, { run, slot, repositories });
  return { ...slot, job_ids };
}

/** Queues the backups of a run. Resolves to their ids. */
export async function queueRun(
  { jobs, clock }: SlotNeeds,
  session: StorageSession,
  { run, slot, repositories }: { run: Run; slot: SlotRow; repositories: readonly RepositoryRow[] },
): Promise<number[]> {
  const { schedule, plannedAt, requestedBy } = run;
  const now = clock.now();
  const parameters: ScheduledBackupParameters = {
    schedule: factsOf(schedule, plannedAt, repositories.length > 1),
  };
  const about = { kind: 'backup' as const, parameters, requestedBy };
  const links = { scheduleId: schedule.id, slotId: slot.id };
  const job_ids: number[] = [];
  for (const repository of repositories) {
    const { id } = await jobs.insert({ ...about, ...links, repository }, session);
    job_ids.push(id);
  }
  const late_ms = slot.late_ms ?? Math.max(0, now - plannedAt);
  const begun = { job_ids, started_at: slot.started_at ?? now, late_ms };
  await session.update(slots, { id: slot.id }, begun);
  // A run that waited was not late.
  const isPrompt = run.trigger === 'schedule' && slot.outcome === 'running';
  const late = isPrompt ? { last_late_ms: begun.late_ms } : {};
  const started = { last_run: now, ...lastErrorColumns(null), ...late };
  await session.update(schedules, { id: schedule.id }, started);
  return job_ids;
}

/** Queues a failed backup again. Null when its repository is gone. */
export async function retryJob(
  { jobs }: SlotNeeds,
  session: StorageSession,
  { job, schedule }: { job: JobRow; schedule: ScheduleRow },
): Promise<number | null> {
  const [repository] = await session.find(repositories, { where: { id: job.repository_id ?? 0 }, limit: 1 });
  if (!repository) return null;
  const { attempt = 0, ...parameters } = job.parameters as unknown as ScheduledBackupParameters;
  const again = await jobs.insert(
    {
      kind: 'backup',
      repository,
      parameters: {
        ...parameters,
        schedule: { ...parameters.schedule, nextAt: schedule.next_run },
        rerunOf: job.id,
        attempt: attempt + 1,
      },
      requestedBy: job.requested_by,
      scheduleId: schedule.id,
      ...(job.slot_id !== null && { slotId: job.slot_id }),
    },
    session,
  );
  return again.id;
}

/**
 * The repositories to back up, or why the schedule can't run. A repository that can't take backups is
 * included as long as another one can: its job fails with the reason, where users look for it.
 */
export async function runnable(
  session: StorageSession,
  scheduleId: number,
): Promise<{ repositories: RepositoryRow[] } | { problem: Message }> {
  const repositories = (await repositoriesOf(session, [scheduleId])).get(scheduleId) ?? [];
  const problems = repositories.map(problemOf).filter((problem) => problem !== null);
  if (repositories.length > problems.length) return { repositories };
  const nothing = say`schedule_has_no_repositories: The schedule has no repositories: add one with PUT /api/schedule/{job_id}.`;
  return { problem: together(problems) ?? nothing };
}

function problemOf(repository: RepositoryRow): Message | null {
  try {
    assertBackable(repository);
    return null;
  } catch (error) {
    if (isAppError(error)) return messageOf(error);
    throw error;
  }
}

/** A page of runs, newest first. Throws AppError `not_found`. */
export async function listScheduleRuns(
  { storage }: SchedulesNeeds,
  id: number,
  { limit, offset }: { limit: number; offset: number },
) {
  await findSchedule(storage, id);
  const where = { schedule_id: id };
  const rows = await storage.find(slots, { where, order: [['planned_at', 'desc']], limit, offset });
  const [counted] = await storage.aggregate(slots, { where, measures: { total: { count: true } } });
  return { success: true as const, runs: rows.map(slotView), total: counted?.total ?? 0 };
}

const slotView = (slot: SlotRow): ScheduleRun => ({
  planned_at: isoTime(slot.planned_at),
  trigger: slot.trigger,
  started_at: isoTime(slot.started_at),
  completed_at: isoTime(slot.completed_at),
  late_seconds: slot.late_ms === null ? null : slot.late_ms / 1000,
  outcome: slot.outcome === 'waiting' ? 'running' : slot.outcome,
  waiting: slot.outcome === 'waiting',
  reason: slot.reason,
  reason_code: slot.reason_code,
  reason_params: shownParams(slot.reason_params),
  job_ids: slot.job_ids,
  count: slot.count,
});
