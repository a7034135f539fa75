import { bytes, dayOf, inDays } from '../../../i18n/format.js';
import { t } from '../../../i18n/messages.js';
import { daysUntilFull, type Point } from './findings.rules.js';

/** How much the repository grew from the first to the last sample. */
export function grewInWords(sizes: readonly Point[]): string {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!first || !last || sizes.length < 2) return t.plots.tooFew;
  const days = Math.max(1, Math.round((last.at - first.at) / 86_400));
  const by = last.value - first.value;
  if (by === 0) return t.plots.same(days);
  return by > 0 ? t.plots.grew(bytes(by), days) : t.plots.shrank(bytes(-by), days);
}

/** How long the free space lasts; empty if the rate is not known. */
export function fullInWords(free: number, perDay: number | null): string {
  if (perDay === null) return '';
  const days = daysUntilFull(free, perDay);
  return days === null
    ? t.plots.neverFull
    : t.plots.fullIn(inDays(days), dayOf(Date.now() + days * 86_400_000));
}
