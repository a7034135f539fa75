import type { ScheduleView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import { forgetScheduleInJobs } from '../../engine/jobs/index.js';
import { inTransaction, isoTime, newUid, ReadCache, shownParams } from '../../foundation/kernel/index.js';
import { maskValues } from '../hooks/index.js';
import { forgetPauses, readPauses } from '../maintenance/index.js';
import { releaseAllOf } from '../repositories/index.js';
import type { NoteSchedule } from './calendar/index.js';
import {
  afterPause,
  cronRule,
  findSchedule,
  isManual,
  type NamedRepository,
  nextInstants,
  pauseAt,
  pauseOfAll,
  repositoryNamesOf,
  shownPause,
} from './calendar/index.js';
import { plannedBackups } from './fire-schedule.js';
import type { SchedulesNeeds } from './needs.js';
import { recordScheduleChange } from './schedule-changed.js';
import { type ScheduleRow, scheduleRepositories, schedules, slots } from './tables.js';

export const shownRuns = 5;

/** With its next five runs, counted from now. Throws AppError `not_found`. */
export async function getSchedule({ storage, clock }: Pick<SchedulesNeeds, 'storage' | 'clock'>, id: number) {
  const now = clock.now();
  const job = await viewSchedule(storage, { id, now });
  const rule = cronRule(job);
  const own = job.pause_until === null ? null : Date.parse(job.pause_until);
  const until = pauseAt(now, own, await pauseOfAll(storage));
  const next = rule ? nextInstants(rule, { after: until === null ? now : until - 1, count: shownRuns }) : [];
  return { success: true as const, job: { ...job, next_runs: next.map((at) => isoTime(at)) } };
}

/** In order of creation. */
export const listSchedules = ({ storage, clock }: SchedulesNeeds) => {
  const cache = new ReadCache(storage);
  return () => {
    const now = clock.now();
    const make = async () => {
      const rows = await storage.find(schedules);
      const linked = await repositoryNamesOf(storage);
      const [pausesOf, paused] = [await readPauses(storage), await pauseOfAll(storage)];
      const views = rows.map((row) =>
        scheduleView(row, { repositories: linked.get(row.id) ?? [], pausesOf, paused, now }),
      );
      return { success: true as const, jobs: views };
    };
    // The next run of a disabled schedule depends on the time, but only on whole seconds.
    return cache.read('all', make, Math.floor(now / 1000));
  };
};

/** Throws AppError `not_found`. */
export async function viewSchedule(
  session: StorageSession,
  { id, now }: { id: number; now: number },
): Promise<ScheduleView> {
  const row = await findSchedule(session, id);
  const linked = await repositoryNamesOf(session, [id]);
  const [pausesOf, paused] = [await readPauses(session, id), await pauseOfAll(session)];
  return scheduleView(row, { repositories: linked.get(id) ?? [], pausesOf, paused, now });
}

interface Surroundings {
  repositories: readonly NamedRepository[];
  pausesOf: Awaited<ReturnType<typeof readPauses>>;
  /** Of all schedules. */
  paused: number | null;
  now: number;
}

function scheduleView(row: ScheduleRow, { repositories, pausesOf, paused, now }: Surroundings): ScheduleView {
  const [first] = repositories;
  const ids = repositories.map(({ id }) => id);
  const only = repositories.length === 1 && first ? first : null;
  const { last_planned: _, last_late_ms: __, uid: ___, ...shown } = row;
  return {
    ...shown,
    last_error_params: shownParams(row.last_error_params),
    pre_backup_script_parameters: maskValues(row.pre_backup_script_parameters),
    post_backup_script_parameters: maskValues(row.post_backup_script_parameters),
    manual_only: isManual(row),
    retention: row.run_prune_after ? 'prunes' : 'keeps_everything',
    retention_paused: pausesOf(row, ids).flatMap(
      ({ repository_id, reason, reason_code, reason_params, since, job_id }) => {
        const name = repositories.find(({ id }) => id === repository_id)?.name;
        if (name === undefined) return [];
        const why = { reason, reason_code, reason_params: shownParams(reason_params) };
        return [{ repository_id, repository_name: name, ...why, since: isoTime(since), job_id }];
      },
    ),
    repository: only?.path ?? null,
    repository_id: only?.id ?? null,
    repository_ids: ids,
    last_run: isoTime(row.last_run),
    next_run: isoTime(
      afterPause({ ...row, next_run: nextRun(row, now) }, pauseAt(now, row.pause_until, paused)),
    ),
    pause_until: shownPause(row.pause_until, now),
    last_prune: isoTime(row.last_prune),
    last_compact: isoTime(row.last_compact),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** The stored instant. For a disabled schedule whose stored instant has passed: the next one from now. */
function nextRun(row: ScheduleRow, now: number): number | null {
  if (row.enabled || row.next_run === null || row.next_run > now) return row.next_run;
  return cronRule(row)?.next(now) ?? null;
}

/**
 * Pending and running jobs continue, and stay in the list without the schedule. Throws AppError `not_found`.
 */
export async function deleteSchedule(needs: SchedulesNeeds, id: number) {
  const { storage, events } = needs;
  const { name } = await inTransaction(storage, async (session) => {
    const row = await findSchedule(session, id);
    await recordScheduleChange(session, events, { change: 'deleted', schedule: row });
    await session.remove(scheduleRepositories, { schedule_id: id });
    await session.remove(slots, { schedule_id: id });
    await forgetPauses(session, id);
    await releaseAllOf(session, id);
    await forgetScheduleInJobs(session, id);
    await session.remove(schedules, { id });
    return row;
  });
  events.nudge();
  plannedBackups.timers.set(needs, { id, enabled: false, next_run: null });
  return { success: true as const, message: `Schedule ${name} was deleted; its archives are kept.` };
}

/** Lets other rooms update facts of a schedule. */
export const noteSchedule: NoteSchedule = (session, id, facts) => session.update(schedules, { id }, facts);

/** Gives random ids to schedules from releases that had none. */
export async function giveScheduleUids(session: StorageSession): Promise<void> {
  for (const { id } of await session.find(schedules, { where: { uid: null } }))
    await session.update(schedules, { id, uid: null }, { uid: newUid() });
}
