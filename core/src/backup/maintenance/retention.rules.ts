import {
  anyKeeps,
  type DatedArchive,
  planByReasons,
  planRetention,
  type RetentionPlan,
  type RetentionRules,
} from '@holdfast/contracts/retention';
import { clockToleranceMs } from '../../foundation/kernel/index.js';
import type { RetentionCounts } from '../schedules/calendar/index.js';

export { type DatedArchive, planRetention, type RetentionPlan, type RetentionRules };

/** False for rules that would remove everything. */
export const keepsAnything = (rules: Partial<RetentionCounts>): boolean =>
  (rules.withinHours ?? 0) > 0 || anyKeeps(rules);

export interface JudgedArchive extends DatedArchive {
  /** It is reliable. */
  isGood: boolean;
  /** Good, and with all sources. */
  isWhole: boolean;
  /** Paths in its sources that could not be read. */
  unread?: readonly string[];
  /** The reason of its pin. */
  pinned?: string | undefined;
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
 * alone and then to all archives; whatever either pass keeps is kept. Archives that are pinned or dated in the future
 * are kept and count for nothing. The newest good archive, the newest complete one and that of the run itself are
 * always kept, and so is the newest good one with each path that the last could not read. With only complete archives from the past, the result equals `planRetention`.
 */
export function planSafely<A extends JudgedArchive>(
  archives: readonly A[],
  { rules, now, own }: Circumstances,
): RetentionPlan<A> {
  const isFuture = ({ start }: A) => start > now + clockToleranceMs;
  const past = archives.filter((archive) => archive.pinned === undefined && !isFuture(archive));
  const whole = past.filter(({ isWhole }) => isWhole);
  const good = past.filter(({ isGood }) => isGood);
  const reasons = new Map<string, string>();
  const keep = (id: string | null | undefined, reason: string) => {
    if (id != null && !reasons.has(id)) reasons.set(id, reason);
  };
  for (const { id, pinned } of archives) if (pinned !== undefined) keep(id, `pinned: ${pinned}`);
  for (const { id } of archives.filter(isFuture)) keep(id, 'in the future');
  for (const counted of [whole, past])
    for (const { archive, reason } of planRetention(counted, rules).kept) keep(archive.id, reason);
  keep(newestOf(good)?.id, 'newest good archive');
  keep(newestOf(whole)?.id, 'newest archive with all sources');
  for (const [path, id] of lastWith(good)) keep(id, `newest archive with ${path}`);
  keep(own, 'made by the run that prunes');
  return planByReasons(archives, reasons);
}

/** Of each path that the newest archive could not read, the newest one that could. */
function* lastWith<A extends JudgedArchive>(archives: readonly A[]): Generator<[string, string]> {
  for (const path of newestOf(archives)?.unread ?? []) {
    const last = newestOf(archives.filter(({ unread = [] }) => !unread.includes(path)));
    if (last) yield [path, last.id];
  }
}

/** Of several with the same start, the last in the list. */
const newestOf = <A extends DatedArchive>(archives: readonly A[]): A | undefined =>
  archives.reduce<A | undefined>((last, each) => (last && last.start > each.start ? last : each), undefined);
