import type { SchedulesNeeds } from './needs.js';

/** Alarms are set this far ahead; the slot engine sets the later ones in time. Milliseconds. */
export const alarmHorizon = 90_000;

const prefix = 'schedule:';
export const isScheduleAlarm = (key: string): boolean => key.startsWith(prefix);

/** Sets the alarm of a schedule that is due soon. Never fails: a lost alarm costs a second. */
export function ringSchedule(
  { alarms, clock, log }: Pick<SchedulesNeeds, 'alarms' | 'clock' | 'log'>,
  { id, enabled, next_run }: { id: number; enabled: boolean; next_run: number | null },
): void {
  if (!enabled || next_run === null || next_run > clock.now() + alarmHorizon) return;
  alarms.ring(`${prefix}${id}`, next_run).catch((error: unknown) => {
    log.debug('the alarm of a schedule could not be set', { schedule: id, error });
  });
}
