import { type Caller, inTransaction, isoTime, requireConfirmation } from '../../foundation/kernel/index.js';
import { pauseEnd, pauseOfAll, shownPause, writePauseOfAll } from './calendar/index.js';
import type { SchedulesNeeds } from './needs.js';

export async function getPause({ storage, clock }: Pick<SchedulesNeeds, 'storage' | 'clock'>) {
  return { success: true as const, pause_until: shownPause(await pauseOfAll(storage), clock.now()) };
}

/**
 * Pauses all schedules, or ends that. Throws AppError `invalid`; `forbidden` for a browser session that must confirm a
 * longer pause.
 */
export async function setPause(
  { storage, clock, events }: SchedulesNeeds,
  caller: Caller,
  given: string | null,
) {
  const now = clock.now();
  const until = await inTransaction(storage, async (session) => {
    const stored = await pauseOfAll(session);
    const end = pauseEnd(given, { stored, now });
    if ((end ?? 0) > (stored ?? 0)) requireConfirmation(caller, now);
    await writePauseOfAll(session, end ?? 0);
    const data = { schedule_id: null, change: 'updated', pause_until: isoTime(end) };
    await events.record(session, { kind: 'schedule_changed', repositoryId: null, jobId: null, data });
    return end;
  });
  events.nudge();
  const shown = shownPause(until, now);
  const message = shown === null ? 'Schedules are not paused.' : `Schedules are paused until ${shown}.`;
  return { success: true as const, message, pause_until: shown };
}
