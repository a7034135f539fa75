import {
  type Caller,
  inTransaction,
  requireConfirmation,
  useCasesOf,
} from '../../foundation/kernel/index.js';
import { adopt, release } from './adopt-archives.js';
import { findSchedule } from './calendar/index.js';
import { plannedBackups } from './fire-schedule.js';
import type { SchedulesNeeds } from './needs.js';
import { getPause, setPause } from './pause-all.js';
import { type PreviewNeeds, previewSchedule } from './preview-schedule.js';
import { duplicateSchedule, listCronPresets, listUpcomingJobs, validateCron } from './previews.js';
import { resumeRetention } from './resume-retention.js';
import { listScheduleRuns, runScheduleNow } from './runs.js';
import { recordScheduleChange } from './schedule-changed.js';
import { deleteSchedule, getSchedule, listSchedules } from './schedules.js';
import { schedules } from './tables.js';
import { createSchedule, planChanges, updateSchedule } from './write-schedule.js';

export const schedulesUseCases = (dependencies: PreviewNeeds) => ({
  ...useCasesOf(dependencies, {
    adopt,
    createSchedule,
    deleteSchedule,
    duplicateSchedule,
    getPause,
    getSchedule,
    listScheduleRuns,
    listUpcomingJobs,
    previewSchedule,
    release,
    resumeRetention,
    runScheduleNow,
    setPause,
    toggleSchedule,
    updateSchedule,
    validateCron,
  }),

  listCronPresets: listCronPresets(),

  listSchedules: listSchedules(dependencies),
});

/**
 * Throws AppError `not_found`; `invalid` when it has no repositories and so can't be enabled; `forbidden` for a browser
 * session that must confirm to switch it off.
 */
async function toggleSchedule(needs: SchedulesNeeds, id: number, caller?: Caller) {
  const now = needs.clock.now();
  const row = await inTransaction(needs.storage, async (session) => {
    const before = await findSchedule(session, id);
    if (caller && before.enabled) requireConfirmation(caller, now);
    const after = { ...before, enabled: !before.enabled };
    const updated_at = Math.max(now, before.updated_at + 1);
    const patch = { ...(await planChanges(session, { before, after, now })), updated_at };
    await session.update(schedules, { id }, patch);
    await recordScheduleChange(session, needs.events, { change: 'updated', schedule: after });
    return { ...after, ...patch };
  });
  needs.events.nudge();
  plannedBackups.timers.set(needs, row);
  const message = `Schedule ${row.name} was ${row.enabled ? 'enabled' : 'disabled'}.`;
  return { success: true as const, message, enabled: row.enabled };
}
