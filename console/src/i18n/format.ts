import { formatLocale, locale } from './locale.js';
import { t } from './messages.js';

/** Of the browser, by its IANA name. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const once = <T>(make: () => T) => {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
};

const numbers = once(() => new Intl.NumberFormat(formatLocale()));
const oneDigit = once(() => new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 1 }));
const lists = once(() => new Intl.ListFormat(formatLocale(), { type: 'conjunction' }));
const relative = once(() => new Intl.RelativeTimeFormat(formatLocale(), { numeric: 'auto' }));
const clock = once(() => new Intl.DateTimeFormat(formatLocale(), { hour: '2-digit', minute: '2-digit' }));
const days = once(() => new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short' }));
const daysOfYears = once(() => new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium' }));
const moments = once(
  () => new Intl.DateTimeFormat(formatLocale(), { dateStyle: 'medium', timeStyle: 'medium' }),
);
const months = once(() => new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }));
const shortMonths = once(() => new Intl.DateTimeFormat(locale(), { month: 'short' }));
const weekdays = once(() => new Intl.DateTimeFormat(locale(), { weekday: 'short' }));
const momentParts = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
} as const;
const shortMoments = once(() => new Intl.DateTimeFormat(formatLocale(), momentParts));
const momentsOfYears = once(
  () => new Intl.DateTimeFormat(formatLocale(), { ...momentParts, year: 'numeric' }),
);

export const number = (value: number): string => numbers().format(value);
export const percent = (value: number): string => `${number(Math.floor(value))} %`;
export const list = (items: readonly string[]): string => lists().format(items);

const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];

/** Decimal units, as disks are sold: 1 kB is 1,000 bytes. */
export function bytes(value: number): string {
  const power = Math.min(units.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  const scaled = value / 1000 ** power;
  return `${scaled < 100 && power > 0 ? oneDigit().format(scaled) : number(Math.round(scaled))} ${units[power]}`;
}

/** Of seconds: `4 min`, `2 h 10 min`, `3 d 4 h`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 1) return '< 1 s';
  if (whole < 60) return `${number(whole)} s`;
  const minutes = Math.round(whole / 60);
  if (minutes < 60) return `${number(minutes)} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const rest = hours % 24;
  return `${number(Math.floor(hours / 24))} d${rest === 0 ? '' : ` ${rest} h`}`;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** `9 hours ago`, `in 4 minutes`, `yesterday`; beyond two weeks the date. */
export function ago(at: string | number | Date, now = Date.now()): string {
  const away = new Date(at).getTime() - now;
  const size = Math.abs(away);
  if (size < 45_000) return t.common.now;
  if (size < hour) return relative().format(Math.round(away / minute), 'minute');
  if (size < 36 * hour) return relative().format(Math.round(away / hour), 'hour');
  if (size < 14 * day) return relative().format(Math.round(away / day), 'day');
  return dayOf(at);
}

export const timeOf = (at: string | number | Date): string => clock().format(new Date(at));

const isThisYear = (date: Date): boolean => date.getFullYear() === new Date().getFullYear();

/** A date; with its year if it is another one. */
export const dayOf = (at: string | number | Date): string => {
  const date = new Date(at);
  return (isThisYear(date) ? days() : daysOfYears()).format(date);
};

/** `November 2026`. */
export const monthOf = (at: string | number | Date): string => months().format(new Date(at));

/** `Nov`. */
export const shortMonthOf = (at: Date): string => shortMonths().format(at);

/** `Tue`. */
export const weekdayOf = (at: Date): string => weekdays().format(at);

/** `Tue 24 Nov, 02:00`; with its year if it is another one. */
export const moment = (at: string | number | Date): string => {
  const date = new Date(at);
  return (isThisYear(date) ? shortMoments() : momentsOfYears()).format(date);
};

/** With seconds and year, to compare with a log. */
export const exactly = (at: string | number | Date): string => moments().format(new Date(at));

/** `14:02` today, otherwise with its date. */
export const sinceWhen = (at: string | number | Date): string =>
  new Date(at).toDateString() === new Date().toDateString() ? timeOf(at) : moment(at);

/** `in 12 days`, `in 7 months`, `in 3 years`. */
export function inDays(days: number): string {
  const format = new Intl.RelativeTimeFormat(locale());
  if (days < 60) return format.format(Math.round(days), 'day');
  return days < 730
    ? format.format(Math.round(days / 30.4), 'month')
    : format.format(Math.round(days / 365), 'year');
}
