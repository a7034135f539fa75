import { list, number, ownZone } from '../../i18n/format.js';
import { formatLocale, locale } from '../../i18n/locale.js';
import { t } from '../../i18n/messages.js';
import { counts, type Keep, timingOf } from './plan.rules.js';

/** Monday first; the numbers of cron. 4 January 2026 is a Sunday. */
export const dayNames = (weekday: 'short' | 'long' = 'short'): (readonly [number, string])[] => {
  const format = new Intl.DateTimeFormat(locale(), { weekday, timeZone: 'UTC' });
  return [1, 2, 3, 4, 5, 6, 0].map((day) => [day, format.format(Date.UTC(2026, 0, 4 + day))] as const);
};

/** `Berlin` of `Europe/Berlin`. */
const placeOf = (zone: string): string => zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone;

const clock = { hour: '2-digit', minute: '2-digit' } as const;
const date = { weekday: 'short', day: 'numeric', month: 'short' } as const;

/** An instant in the zone of its schedule, and here if that is another time. */
export function runTime(at: string, zone: string): string {
  const format = (timeZone: string, parts: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(formatLocale(), { ...parts, timeZone }).format(new Date(at));
  const there = format(zone, { ...date, ...clock });
  if (there === format(ownZone, { ...date, ...clock })) return there;
  const isSameDay = format(zone, date) === format(ownZone, date);
  return t.plan.alsoHere(
    `${there} ${placeOf(zone)}`,
    format(ownZone, isSameDay ? clock : { ...date, ...clock }),
  );
}

/** `Every day at 02:00 Berlin`. */
export function timingInWords(cron: string, zone: string): string {
  const { every, time, days, minute } = timingOf(cron);
  const place = placeOf(zone);
  if (every === 'manual') return t.plan.manual;
  if (every === 'hour') return t.plan.hourly(minute);
  if (every === 'custom') return t.plan.byCron(cron, place);
  if (every === 'day') return t.plan.daily(time, place);
  if (days.join() === '1,2,3,4,5') return t.plan.weekdays(time, place);
  const names = dayNames(days.length === 1 ? 'long' : 'short')
    .filter(([day]) => days.includes(day))
    .map(([, name]) => name);
  return t.plan.onCertainDays(list(names), time, place);
}

/** `keeps 7 daily, 4 weekly and 6 monthly`. */
export function keepInWords(prunes: boolean, rules: Keep): string {
  if (!prunes) return t.plan.keepsEverything;
  const parts = counts
    .map((count) => [count, rules[`prune_keep_${count}`]] as const)
    .filter(([, kept]) => kept !== 0)
    .map(([count, kept]) => t.plan.keptOf[count](kept < 0 ? t.plan.allOf : number(kept)));
  if (rules.prune_keep_within) parts.unshift(withinInWords(rules.prune_keep_within));
  return t.plan.keeps(list(parts));
}

/** `all of the last 2 days`. */
export function withinInWords(text: string): string {
  const count = Number(text.slice(0, -1));
  const unit = { H: 'hour', d: 'day', w: 'week', m: 'month', y: 'year' }[text.slice(-1)];
  return t.plan.allWithin(
    new Intl.NumberFormat(locale(), { style: 'unit', unit: unit ?? 'day', unitDisplay: 'long' }).format(
      count,
    ),
  );
}
