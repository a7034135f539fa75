import type { RetentionCounts } from '../calendar/index.js';
import { clockToleranceMs } from '../kernel/index.js';

/** How many archives each rule keeps; 0 or absent switches a rule off. */
export interface RetentionRules {
  hourly?: number;
  daily?: number;
  weekly?: number;
  monthly?: number;
  quarterly?: number;
  yearly?: number;
  /** Every archive that began after this instant is kept, and counts for no other rule. Milliseconds since the epoch. */
  since?: number;
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

const ruleOrder = ['hourly', 'daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
type Rule = (typeof ruleOrder)[number];

/** The period of an instant under each rule: archives of one period compete for one place. All in UTC. */
const periodOf: Record<Rule, (at: Date) => string> = {
  hourly: (at) => at.toISOString().slice(0, 13),
  daily: (at) => at.toISOString().slice(0, 10),
  weekly: isoWeek,
  monthly: (at) => at.toISOString().slice(0, 7),
  quarterly: (at) => `${at.getUTCFullYear()}-Q${Math.floor(at.getUTCMonth() / 3) + 1}`,
  yearly: (at) => String(at.getUTCFullYear()),
};

/** False for rules that would remove everything. */
export const keepsAnything = (rules: Partial<RetentionCounts>): boolean =>
  (rules.withinHours ?? 0) > 0 || ruleOrder.some((rule) => (rules[rule] ?? 0) > 0);

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
  const { since = Number.POSITIVE_INFINITY } = rules;
  const young = newestFirst.filter(({ start }) => start > since);
  for (const [index, { id }] of young.entries()) reasons.set(id, `within #${index + 1}`);
  for (const rule of ruleOrder) applyRule(newestFirst, rule, { wanted: rules[rule] ?? 0, reasons });
  return divide(archives, reasons);
}

const newestFirstOf = <A extends DatedArchive>(archives: readonly A[]): A[] =>
  archives.toReversed().sort((a, b) => b.start - a.start);

/** A plan, newest first, that keeps the archives that have a reason. */
function divide<A extends DatedArchive>(
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

function applyRule(
  newestFirst: readonly DatedArchive[],
  rule: Rule,
  { wanted, reasons }: { wanted: number; reasons: Map<string, string> },
): void {
  if (wanted === 0) return;
  let count = 0;
  let period: string | null = null;
  for (const { id, start } of newestFirst) {
    const current = periodOf[rule](new Date(start));
    if (current === period) continue;
    period = current;
    if (reasons.has(id)) continue;
    count += 1;
    reasons.set(id, `${rule} #${count}`);
    if (count === wanted) return;
  }
  const oldest = newestFirst.at(-1);
  if (oldest && !reasons.has(oldest.id)) reasons.set(oldest.id, `${rule}[oldest] #${count + 1}`);
}

/** ISO 8601 week-numbering year and week: the week belongs to the year of its Thursday. */
function isoWeek(at: Date): string {
  const thursday = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7));
  const year = thursday.getUTCFullYear();
  const week = Math.ceil(((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000 + 1) / 7);
  return `${year}-W${String(week).padStart(2, '0')}`;
}

export interface JudgedArchive extends DatedArchive {
  /** It is reliable. */
  isGood: boolean;
  /** Good, and with all sources. */
  isWhole: boolean;
}

interface Circumstances {
  rules: RetentionRules;
  /** Milliseconds. */
  now: number;
  /** Id of the archive of the run that prunes; null for a manual prune. */
  own: string | null;
}

/**
 * Applies the rules so that no archive can displace a better one. They are applied to the complete archives
 * alone and then to all archives; whatever either pass keeps is kept. Archives dated in the future are kept
 * and count for nothing. The newest good archive, the newest complete one and that of the run itself are
 * always kept. With only complete archives from the past, the result equals `planRetention`.
 */
export function planSafely<A extends JudgedArchive>(
  archives: readonly A[],
  { rules, now, own }: Circumstances,
): RetentionPlan<A> {
  const isFuture = ({ start }: A) => start > now + clockToleranceMs;
  const past = archives.filter((archive) => !isFuture(archive));
  const whole = past.filter(({ isWhole }) => isWhole);
  const good = past.filter(({ isGood }) => isGood);
  const reasons = new Map<string, string>();
  const keep = (id: string | null | undefined, reason: string) => {
    if (id != null && !reasons.has(id)) reasons.set(id, reason);
  };
  for (const { id } of archives.filter(isFuture)) keep(id, 'in the future');
  for (const counted of [whole, past])
    for (const { archive, reason } of planRetention(counted, rules).kept) keep(archive.id, reason);
  keep(newestOf(good)?.id, 'newest good archive');
  keep(newestOf(whole)?.id, 'newest archive with all sources');
  keep(own, 'made by the run that prunes');
  return divide(archives, reasons);
}

/** Of several with the same start, the last in the list. */
const newestOf = <A extends DatedArchive>(archives: readonly A[]): A | undefined =>
  archives.reduce<A | undefined>((last, each) => (last && last.start > each.start ? last : each), undefined);
