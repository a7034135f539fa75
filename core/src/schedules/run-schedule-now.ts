import type { Caller } from '../kernel/caller.rules.js';
import { invalid } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { type EventRow, type ScheduleRow, type SlotRow, slots } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findSchedule } from '../calendar/find-schedule.js';
import { scheduleFailure } from '../calendar/schedule-failure.js';
import { repositoriesOf } from './schedule-repositories.js';
import { runnable, startRun } from './start-run.js';

type Needs = Pick<Dependencies, 'storage' | 'jobs' | 'clock' | 'events'>;

/** All jobs of one run, at once, also of a disabled schedule. AppError `not_found`; `invalid` when it can't run. */
export const runScheduleNow = (needs: Needs) => async (caller: Caller, id: number) => {
  const { jobs, storage, events } = needs;
  const { started, name } = await inTransaction(storage, async (session) => {
    const schedule = await findSchedule(session, id);
    return { started: await start(needs, session, { schedule, caller }), name: schedule.name };
  });
  if ('refusal' in started) {
    events.announce([started.event]);
    throw invalid(started.refusal);
  }
  const { slot } = started;
  for (const jobId of slot.job_ids) jobs.ring(jobId);
  const [job_id = 0] = slot.job_ids;
  const count = slot.job_ids.length;
  const message = `Schedule ${name} was started: ${count === 1 ? '1 backup' : `${count} backups`} queued.`;
  return { success: true as const, job_id, job_ids: slot.job_ids, status: 'pending' as const, message };
};

type Started = { slot: SlotRow } | { refusal: string; event: EventRow };

/** A run that can't be is told to those who are notified, too: not only to who asked for it. */
async function start(
  needs: Needs,
  session: StorageSession,
  { schedule, caller }: { schedule: ScheduleRow; caller: Caller },
): Promise<Started> {
  const able = await runnable(session, schedule.id);
  if ('refusal' in able) {
    const { refusal } = able;
    const concerned = (await repositoriesOf(session, [schedule.id])).get(schedule.id);
    const failure = scheduleFailure(schedule, { error: refusal }, concerned);
    return { refusal, event: await needs.events.record(session, failure) };
  }
  const plannedAt = await freeInstant(session, schedule.id, needs.clock.now());
  const run = { schedule, plannedAt, trigger: 'run_now' as const, requestedBy: caller.username };
  return { slot: await startRun(needs, session, { run, repositories: able.repositories }) };
}

/** The ledger has one row an instant; two runs asked for in one millisecond stand side by side. */
async function freeInstant(session: StorageSession, scheduleId: number, now: number): Promise<number> {
  for (let at = now; ; at++) {
    const where = { schedule_id: scheduleId, planned_at: at };
    if ((await session.find(slots, { where, limit: 1 })).length === 0) return at;
  }
}
