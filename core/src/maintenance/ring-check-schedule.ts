import type { Dependencies } from '../dependencies.js';

/** Alarms are set this far ahead; the slot engine sets the later ones in time. Milliseconds. */
export const checkAlarmHorizon = 90_000;

const prefix = 'check:';
export const isCheckAlarm = (key: string): boolean => key.startsWith(prefix);

/** Sets the alarm of a check that is due soon. Never fails: a lost alarm costs a second. */
export function ringCheckSchedule(
  { alarms, clock, log }: Pick<Dependencies, 'alarms' | 'clock' | 'log'>,
  { id, enabled, next_run }: { id: number; enabled: boolean; next_run: number | null },
): void {
  if (!enabled || next_run === null || next_run > clock.now() + checkAlarmHorizon) return;
  alarms.ring(`${prefix}${id}`, next_run).catch((error: unknown) => {
    log.debug('the alarm of a check could not be set', { checkSchedule: id, error });
  });
}
