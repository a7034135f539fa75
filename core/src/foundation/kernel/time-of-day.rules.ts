import { IANAZone } from 'luxon';

const minuteMs = 60_000;

/** Whether the time of day in a zone is in a window such as `['08:00', '18:00']`. `['22:00', '06:00']` is a night. */
export function isBetween(now: number, [from = '', to = '']: readonly string[], timeZone: string): boolean {
  const offset = IANAZone.create(timeZone).offset(now) || 0;
  const time = new Date(now + offset * minuteMs).toISOString().slice(11, 16);
  return from < to ? from <= time && time < to : from <= time || time < to;
}
