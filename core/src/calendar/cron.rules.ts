import { Cron } from 'croner';
import cronstrue from 'cronstrue';
import { IANAZone } from 'luxon';
import { invalid, type Message, say } from '../kernel/index.js';

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
      say('time_zone_unknown')`Unknown time zone ${{ zone: name }}: use an IANA name such as Europe/Berlin.`,
    );
  return zone;
}

/** A schedule without a cron expression runs only by hand. It is stored as an empty text. */
export const isByHand = ({ cron_expression }: Pick<StoredRule, 'cron_expression'>): boolean =>
  cron_expression === '';

/** Null for a schedule that runs only by hand. Throws as `parseCron`. */
export function plannedCron({ cron_expression, timezone }: StoredRule): CronRule | null {
  if (!isByHand({ cron_expression })) return parseCron(cron_expression, timezone);
  knownZone(timezone);
  return null;
}

function fieldsOf(expression: string): string[] {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) {
    throw invalid(
      say(
        'cron_field_count_wrong',
      )`A cron expression has five fields (${{ fields: fieldNames }}); this one has ${{ count: fields.length }}.`,
    );
  }
  for (const [index, field] of fields.entries()) {
    if (!/^[\dA-Za-z*,/#-]+$/.test(field) || /w/i.test(field.replace(/wed/gi, ''))) {
      throw invalid(
        say(
          'cron_field_wrong',
        )`The ${{ field: fieldNames[index] ?? '' }} field is not valid: ${{ value: field }}.`,
      );
    }
  }
  return fields;
}

/** The next wall-clock time after `after`, both as if they were UTC. */
type WallClock = (after: number) => number | null;

function wallClockOf(expression: string): WallClock {
  try {
    // With a fixed offset the library does not call Intl at every step: fifty times faster than a named zone.
    const cron = new Cron(expression, { utcOffset: 0, mode: '5-part' });
    if (!cron.nextRun())
      throw invalid(say('cron_never_fires')`This expression never fires: ${{ expression }}.`);
    return (after) => cron.nextRun(new Date(after))?.getTime() ?? null;
  } catch (error) {
    if ((error as Error).name === 'AppError') throw error;
    throw invalid(
      say(
        'cron_expression_wrong',
      )`The cron expression is not valid: ${{ problem: (error as Error).message.replace(/^\w+: /, '') }}.`,
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
export function cronRule({ cron_expression, timezone }: StoredRule): CronRule | null {
  try {
    return parseCron(cron_expression, timezone);
  } catch {
    return null;
  }
}

/** Says that `cronRule` is null for a stored expression. */
export const cronOutdated = ({ cron_expression, timezone }: StoredRule): Message =>
  say(
    'cron_no_longer_valid',
  )`The cron expression ${{ cron_expression }} is no longer valid in time zone ${{ timezone }}.`;

interface StoredRule {
  cron_expression: string;
  timezone: string;
}

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
  try {
    return cronstrue.toString(expression, { use24HourTimeFormat: true });
  } catch {
    return `According to the cron expression ${expression}`;
  }
}

/** Reduces white space to one space between fields; empty for null. */
export const tidyCron = (expression: string | null): string =>
  (expression ?? '').trim().split(/\s+/).join(' ');
