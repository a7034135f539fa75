import type { Clock, Log, TimerService } from '@holdfast/plugin-api';

/** Timers are set at most this far ahead, in milliseconds. The slot worker sets later ones in time. */
export const timerHorizon = 90_000;

/** The timers of one kind of plan, whose keys begin with `prefix`. */
export const slotTimers = (prefix: string) => ({
  isOwn: (key: string): boolean => key.startsWith(prefix),
  /** Sets the timer of a plan that is due soon. Never throws: a lost timer only delays the run by a second. */
  set(
    { timers, clock, log }: { timers: TimerService; clock: Clock; log: Log },
    { id, enabled, next_run }: { id: number; enabled: boolean; next_run: number | null },
  ): void {
    if (!enabled || next_run === null || next_run > clock.now() + timerHorizon) return;
    const key = `${prefix}${id}`;
    timers.set(key, next_run).catch((error: unknown) => log.debug('could not set a timer', { key, error }));
  },
});
