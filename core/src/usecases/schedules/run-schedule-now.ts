import type { Caller } from '../../domain/caller.js';
import { invalid } from '../../errors.js';
import type { StorageSession } from '../../ports/storage.js';
import { inTransaction } from '../../runtime/in-transaction.js';
import { type SlotRow, slots } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findSchedule } from './find-schedule.js';
import { runnable, startRun } from './start-run.js';

type Needs = Pick<Dependencies, 'storage' | 'jobs' | 'clock'>;

/** All jobs of one run, at once, also of a disabled schedule. AppError `not_found`; `invalid` when it can't run. */
export const runScheduleNow = (needs: Needs) => async (caller: Caller, id: number) => {
  const { jobs, storage } = needs;
  const { slot, name } = await inTransaction(storage, async (session) => {
    const schedule = await findSchedule(session, id);
    return { slot: await start(needs, session, { id, caller }), name: schedule.name };
  });
  for (const jobId of slot.job_ids) jobs.ring(jobId);
  const [job_id = 0] = slot.job_ids;
  const count = slot.job_ids.length;
  const message = `Schedule ${name} was started: ${count === 1 ? '1 backup' : `${count} backups`} queued.`;
  return { success: true as const, job_id, job_ids: slot.job_ids, status: 'pending' as const, message };
};

async function start(
  needs: Needs,
  session: StorageSession,
  { id, caller }: { id: number; caller: Caller },
): Promise<SlotRow> {
  const schedule = await findSchedule(session, id);
  const able = await runnable(session, id);
  if ('refusal' in able) throw invalid(able.refusal);
  const plannedAt = await freeInstant(session, id, needs.clock.now());
  const run = { schedule, plannedAt, trigger: 'run_now' as const, requestedBy: caller.username };
  return startRun(needs, session, { run, repositories: able.repositories });
}

/** The ledger has one row an instant; two runs asked for in one millisecond stand side by side. */
async function freeInstant(session: StorageSession, scheduleId: number, now: number): Promise<number> {
  for (let at = now; ; at++) {
    const where = { schedule_id: scheduleId, planned_at: at };
    if ((await session.find(slots, { where, limit: 1 })).length === 0) return at;
  }
}
