import type { SchedulesNeeds } from './needs.js';

/** Timers are set at most this far ahead, in milliseconds. The slot engine sets later ones in time. */
export const timerHorizon = 90_000;

const prefix = 'schedule:';
export const isScheduleTimer = (key: string): boolean => key.startsWith(prefix);

/**
 * Sets the timer of a schedule that is due soon. Never throws: a lost timer only delays the run by a second.
 */
export function setScheduleTimer(
  { timers, clock, log }: Pick<SchedulesNeeds, 'timers' | 'clock' | 'log'>,
  { id, enabled, next_run }: { id: number; enabled: boolean; next_run: number | null },
): void {
  if (!enabled || next_run === null || next_run > clock.now() + timerHorizon) return;
  timers.set(`${prefix}${id}`, next_run).catch((error: unknown) => {
    log.debug('could not set the timer of a schedule', { schedule: id, error });
  });
}
