/**
 * Which archives a retention keeps: pure, and without dependencies. The server prunes by it, and the web console shows
 * with it what rules would do.
 */

/** How many archives each rule keeps; 0 or absent switches a rule off, a negative number means no limit. */
export interface RetentionRules {
  hourly?: number;
  daily?: number;
  weekly?: number;
  monthly?: number;
  quarterly?: number;
  yearly?: number;
  /** Every archive that began after this instant is kept, and counts for no other rule. Milliseconds since the epoch. */
  since?: number;
  /** Whose clock tells days, weeks and so on apart: an IANA name. Default: UTC. */
  timeZone?: string;
}

export interface DatedArchive {
  id: string;
  /** Milliseconds since the epoch. */
  start: number;
}

export interface Kept<A extends DatedArchive> {
  archive: A;
  /** For example `daily #3`, or `yearly[oldest] #1` for the oldest one of a rule that isn't filled. */
  reason: string;
}

export interface RetentionPlan<A extends DatedArchive> {
  kept: Kept<A>[];
  removed: A[];
}

export const ruleOrder = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
type Rule = (typeof ruleOrder)[number];

/** The period of a time under each rule: archives of one period compete for one place. By the clock of the rules, as if it were UTC. */
const periodOf: Record<Rule, (at: Date) => string> = {
  hourly: (at) => at.toISOString().slice(0, 13),
  daily: (at) => at.toISOString().slice(0, 10),
  weekly: isoWeek,
  monthly: (at) => at.toISOString().slice(0, 7),
  quarterly: (at) => `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`,
  yearly: (at) => String(at.getUTCFullYear()),
};

/**
 * Decides as the tool's own prune does: what began after `since`, then the rules in the order hourly to yearly, each
 * from the newest archive on, each keeping the newest of a period that nothing before it keeps; a rule that isn't
 * filled also keeps the oldest archive. Of archives that began at the same instant the later in the list is the newer
 * one. The plan is newest first.
 */
export function planRetention<A extends DatedArchive>(
  archives: readonly A[],
  rules: RetentionRules,
): RetentionPlan<A> {
  const newestFirst = newestFirstOf(archives);
  const reasons = new Map<string, string>();
  const clock = clockOf(rules.timeZone);
  const { since = Number.POSITIVE_INFINITY } = rules;
  const young = newestFirst.filter(({ start }) => start > since);
  for (const [index, { id }] of young.entries()) reasons.set(id, `within #${index + 1}`);
  const shown = newestFirst.map(({ id, start }) => ({ id, at: clock(start) }));
  for (const rule of ruleOrder) applyRule(shown, rule, { wanted: rules[rule] ?? 0, reasons });
  return planByReasons(archives, reasons);
}

const newestFirstOf = <A extends DatedArchive>(archives: readonly A[]): A[] =>
  archives.toReversed().sort((a, b) => b.start - a.start);

/** A plan, newest first, that keeps the archives that have a reason: `reasons` is by id. */
export function planByReasons<A extends DatedArchive>(
  archives: readonly A[],
  reasons: ReadonlyMap<string, string>,
): RetentionPlan<A> {
  const kept: Kept<A>[] = [];
  const removed: A[] = [];
  for (const archive of newestFirstOf(archives)) {
    const reason = reasons.get(archive.id);
    if (reason === undefined) removed.push(archive);
    else kept.push({ archive, reason });
  }
  return { kept, removed };
}

/** False for rules that would remove every archive. */
export const anyKeeps = (counts: Partial<Record<Rule, number>>): boolean =>
  ruleOrder.some((rule) => (counts[rule] ?? 0) !== 0);

function applyRule(
  newestFirst: readonly { id: string; at: Date }[],
  rule: Rule,
  { wanted, reasons }: { wanted: number; reasons: Map<string, string> },
): void {
  if (wanted === 0) return;
  let count = 0;
  let period: string | null = null;
  for (const { id, at } of newestFirst) {
    const current = periodOf[rule](at);
    if (current === period) continue;
    period = current;
    if (reasons.has(id)) continue;
    count += 1;
    reasons.set(id, `${rule} #${count}`);
    if (count === wanted) return;
  }
  const oldest = newestFirst.at(-1);
  if (wanted > 0 && oldest && !reasons.has(oldest.id))
    reasons.set(oldest.id, `${rule}[oldest] #${count + 1}`);
}

/** ISO 8601 week-numbering year and week: the week belongs to the year of its Thursday. */
function isoWeek(at: Date): string {
  const thursday = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  const week = Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7);
  return `${year}-W${String(week).padStart(2, '0')}`;
}

/** What the clock of a zone shows at an instant, as if it were UTC. */
export function clockOf(timeZone = 'UTC'): (at: number) => Date {
  if (timeZone === 'UTC') return (at) => new Date(at);
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const shown = (at: number): number => {
    const parts = format.formatToParts(at).map(({ type, value }) => [type, Number(value)]);
    const { year, month, day, hour, minute, second } = Object.fromEntries(parts);
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  // No zone changes its clocks within a quarter of an hour of UTC.
  const offsets = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / 900_000) * 900_000;
    const offset = offsets.get(quarter) ?? shown(quarter) - quarter;
    offsets.set(quarter, offset);
    return new Date(at + offset);
  };
}
