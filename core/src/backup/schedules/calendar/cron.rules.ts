import { Cron } from 'croner';
import cronstrue from 'cronstrue';
import { IANAZone } from 'luxon';
import { invalid, type Message, say } from '../../../foundation/kernel/index.js';

/** A cron expression of five fields in an IANA time zone. Instants are milliseconds since the epoch. */
export interface CronRule {
  /** The first planned instant after `after`. */
  next(after: number): number;
}

const fieldNames = ['minute', 'hour', 'day of month', 'month', 'day of week'];
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** No zone changes its clocks by more than this at once, except for two historic moves of the date line. */
const widestChangeMs = 3 * 3_600_000;

/**
 * Throws AppError `invalid` for a wrong number of fields, a wrong value, an expression that never fires, or an
 * unknown zone.
 *
 * Clock changes are handled as in cron. A rule whose minute or hour begins with `*` follows elapsed time: it fires
 * twice in the repeated hour and not at all in the skipped one. Any other rule follows the wall clock: it fires once
 * in the repeated hour, and right after the skipped one.
 */
export function parseCron(expression: string, timeZone = 'UTC'): CronRule {
  const zone = knownZone(timeZone);
  const fields = fieldsOf(expression);
  const wall = wallClockOf(fields.join(' '));
  const floating = fields.slice(0, 2).some((field) => field.startsWith('*'));
  const offset = offsetIn(zone);
  return { next: (after) => nextInstant({ wall, offset, floating }, after) };
}

/** Throws AppError `invalid` for an unknown zone. */
export function knownZone(name: string): IANAZone {
  const zone = IANAZone.create(name);
  if (!zone.isValid)
    throw invalid(
      say`time_zone_unknown: Unknown time zone ${{ zone: name }}: use an IANA name such as Europe/Berlin.`,
    );
  return zone;
}

/** A schedule without a cron expression runs only manually. It is stored as an empty text. */
export const isManual = ({ cron_expression }: Pick<StoredRule, 'cron_expression'>): boolean =>
  cron_expression === '';

/** Null for a schedule that runs only manually. Throws as `parseCron`. */
export function plannedCron({ cron_expression, timezone }: StoredRule): CronRule | null {
  if (!isManual({ cron_expression })) return parseCron(cron_expression, timezone);
  knownZone(timezone);
  return null;
}

function fieldsOf(expression: string): string[] {
  const fields = spelled(expression).split(/\s+/);
  if (fields.length !== 5) {
    throw invalid(
      say`cron_field_count_wrong: A cron expression has five fields (${{ fields: fieldNames }}); this one has ${{ count: fields.length }}.`,
    );
  }
  for (const [index, field] of fields.entries()) {
    if (!/^[\dA-Za-z*,/#-]+$/.test(field) || /w/i.test(field.replace(/wed/gi, ''))) {
      throw invalid(
        say`cron_field_wrong: The ${{ field: fieldNames[index] ?? '' }} field is not valid: ${{ value: field }}.`,
      );
    }
    const turned = turnedRange(field, index);
    if (turned)
      throw invalid(
        say`cron_range_backwards: The ${{ field: fieldNames[index] ?? '' }} field has a range whose end is before its start, ${{ value: turned.range }}: write ${{ instead: turned.instead }}.`,
      );
  }
  return fields;
}

const nicknames: Record<string, string> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
};
const spelled = (expression: string): string =>
  nicknames[expression.trim().toLowerCase()] ?? expression.trim();

const months = ['', ...'JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC'.split(' ')];
const weekdays = 'SUN MON TUE WED THU FRI SAT'.split(' ');
const bounds = [[0, 59] as const, [0, 23] as const, [1, 31] as const, [1, 12] as const, [0, 6] as const];

/** FRI-MON as FRI-SAT,SUN-MON. */
function turnedRange(field: string, index: number): { range: string; instead: string } | null {
  const names = index === 4 ? weekdays : months;
  const [least = 0, most = 0] = bounds[index] ?? [];
  for (const [range, from = '', to = ''] of field.matchAll(/\b(\w+)-(\w+)\b/g)) {
    const [first, last] = [from, to].map((text) =>
      /^\d+$/.test(text) ? Number(text) : names.indexOf(text.toUpperCase()),
    );
    if (first === undefined || last === undefined || last < 0 || first <= last) continue;
    // Sunday also ends a week.
    if (index === 4 && to.toUpperCase() === 'SUN') continue;
    const [low, high] = /^\d/.test(from) ? [least, most] : [names[least], names[most]];
    return { range, instead: `${from}-${high},${low}-${to}` };
  }
  return null;
}

/** The next wall-clock time after `after`, both as if they were UTC. */
type WallClock = (after: number) => number | null;

function wallClockOf(expression: string): WallClock {
  try {
    // With a fixed offset the library does not call Intl at every step: fifty times faster than a named zone.
    const cron = new Cron(expression, { utcOffset: 0, mode: '5-part' });
    if (!cron.nextRun())
      throw invalid(say`cron_never_fires: This expression never fires: ${{ expression }}.`);
    return (after) => cron.nextRun(new Date(after))?.getTime() ?? null;
  } catch (error) {
    if ((error as Error).name === 'AppError') throw error;
    throw invalid(
      say`cron_expression_wrong: The cron expression is not valid: ${{ problem: (error as Error).message.replace(/^\w+: /, '') }}.`,
    );
  }
}

/** Offset of a zone from UTC at an instant, in milliseconds. */
type Offset = (at: number) => number;

const knownDays = new Map<string, Map<number, number | null>>();
const maxKnownDays = 5_000;

/**
 * Offsets are cached for each day of a zone. Only on days with a clock change they are looked up each time.
 */
function offsetIn(zone: IANAZone): Offset {
  const days = knownDays.get(zone.name) ?? new Map<number, number | null>();
  knownDays.set(zone.name, days);
  return (at) => {
    const day = Math.floor(at / dayMs);
    let offset = days.get(day);
    if (offset === undefined) {
      const first = zone.offset(day * dayMs);
      offset = first === zone.offset((day + 1) * dayMs - 1) ? first : null;
      if (days.size >= maxKnownDays) days.clear();
      days.set(day, offset);
    }
    return (offset ?? zone.offset(at)) * minuteMs;
  };
}

interface ZonedRule {
  wall: WallClock;
  offset: Offset;
  floating: boolean;
}

function nextInstant({ wall, offset, floating }: ZonedRule, after: number): number {
  const changing = offset(after - widestChangeMs) !== offset(after + widestChangeMs);
  let cursor = after + offset(after) - (changing ? widestChangeMs : 0);
  let best = Number.POSITIVE_INFINITY;
  for (;;) {
    const time = wall(cursor);
    if (time === null) return best;
    const instants = instantsOf(time, { offset, floating });
    if (instants.length > 0 && Math.min(...instants) >= best) return best;
    best = Math.min(best, ...instants.filter((instant) => instant > after));
    cursor = time;
  }
}

/**
 * When the wall clock shows a time: once, twice in a repeated hour, and in a skipped hour as the rule
 * requires.
 */
function instantsOf(time: number, { offset, floating }: Pick<ZonedRule, 'offset' | 'floating'>): number[] {
  const [before, afterwards] = [offset(time - dayMs), offset(time + dayMs)];
  const shown = [...new Set([before, afterwards])]
    .map((each) => ({ instant: time - each, each }))
    .filter(({ instant, each }) => offset(instant) === each)
    .map(({ instant }) => instant)
    .sort((a, b) => a - b);
  if (floating) return shown;
  return shown.length > 0 ? shown.slice(0, 1) : [endOfGap(time, { offset, before, afterwards })];
}

/** The instant at which the clocks went forward past a time. */
function endOfGap(
  time: number,
  { offset, before, afterwards }: { offset: Offset; before: number; afterwards: number },
): number {
  let [low, high] = [time - afterwards, time - before];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offset(middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/**
 * The rule of a stored schedule, or null when it has none or is no longer valid (a zone that this host does not
 * know).
 */
export function cronRule({ cron_expression, timezone }: Planned): CronRule | null {
  try {
    return parseCron(cron_expression ?? '', timezone);
  } catch {
    return null;
  }
}

/** Says that `cronRule` is null for a stored expression. */
export const cronOutdated = ({ cron_expression, timezone }: Planned): Message =>
  say`cron_no_longer_valid: The cron expression ${{ cron_expression: cron_expression ?? '' }} is no longer valid in time zone ${{ timezone }}.`;

interface StoredRule {
  cron_expression: string;
  timezone: string;
}

type Planned = Omit<StoredRule, 'cron_expression'> & { cron_expression: string | null };

/** The next `count` planned instants after `after`, ascending. */
export function nextInstants(rule: CronRule, { after, count }: { after: number; count: number }): number[] {
  const instants: number[] = [];
  for (let at = rule.next(after); instants.length < count && Number.isFinite(at); at = rule.next(at)) {
    instants.push(at);
  }
  return instants;
}

/** Describes a cron expression in English. Expects one that `parseCron` accepts. */
export function describeCron(expression: string): string {
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = spelled(expression).split(/\s+/);
  const words = (dates: string, days: string) => {
    const text = [listed(minute, 60), listed(hour, 24), dates, month, days].join(' ');
    return cronstrue.toString(text, { use24HourTimeFormat: true });
  };
  try {
    if (date === '*' || weekday === '*') return words(date, weekday);
    return `${words(date, '*')}, or ${words('*', weekday).replace(/^./, (letter) => letter.toLowerCase())}`;
  } catch {
    return `According to the cron expression ${expression}`;
  }
}

/** A step that begins again before it is even: every 45 minutes is at 0 and 45. */
function listed(field: string, size: number): string {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1] ?? 1);
  if (step < 1 || size % step === 0) return field;
  return Array.from({ length: Math.ceil(size / step) }, (_, n) => n * step).join(',');
}

/**
 * As it is stored: five fields with one space between them; empty for null. Throws AppError `invalid` for days that
 * mean something else in cron.
 */
export function tidyCron(expression: string | null): string {
  const tidy = spelled(expression ?? '')
    .split(/\s+/)
    .join(' ');
  const [, , date = '*', , weekday = '*'] = tidy.split(' ');
  // With a star in one of them, cron wants both; without, either.
  if (date !== '*' && weekday !== '*' && (date.startsWith('*') || weekday.startsWith('*')))
    throw invalid(
      say`cron_days_ambiguous: cron requires both ${{ date }} and ${{ weekday }} to match, Holdfast only one of them: set the day of month or the day of week to *.`,
    );
  return tidy;
}
