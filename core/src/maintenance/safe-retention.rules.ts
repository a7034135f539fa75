import { clockToleranceMs } from '../monitoring/protection.rules.js';
import {
  type DatedArchive,
  divide,
  planRetention,
  type RetentionPlan,
  type RetentionRules,
} from './retention.rules.js';

export interface JudgedArchive extends DatedArchive {
  /** It can be relied on. */
  isGood: boolean;
  /** Good, and with all sources. */
  isWhole: boolean;
}

interface Circumstances {
  rules: RetentionRules;
  /** Milliseconds. */
  now: number;
  /** Id of the archive of the run that asks; null when a person does. */
  own: string | null;
}

/**
 * The rules, so that no archive can push out a better one. They are applied to the whole archives alone and then to
 * all: what either keeps stays. What a clock or a stranger dated into the future stays and counts for nothing. The
 * newest good archive, the newest whole one and that of the run itself stay in any case. With nothing but whole
 * archives of the past it decides as `planRetention`.
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

/** Of several that began at one instant the last. */
const newestOf = <A extends DatedArchive>(archives: readonly A[]): A | undefined =>
  archives.reduce<A | undefined>((last, each) => (last && last.start > each.start ? last : each), undefined);
