import type { Schemas } from '../../../api/client.js';
import { ownZone } from '../../../i18n/format.js';

export type Series = Schemas['SuggestedSeries'];

export const rules = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const;
type Rule = (typeof rules)[number];

/** As the fields have it. */
export interface Plan {
  name: string;
  sources: string;
  excludes: string;
  compression: string;
  flags: string | null;
  cron: string;
  prunes: boolean;
  keep: Record<Rule, string>;
}

/** What the archives suggest; without a suggestion, the usual. Nothing is removed where nothing was removed. */
export function planOf(series: Series | undefined, name: string): Plan {
  const left = series?.retention;
  const usual = { hourly: 0, daily: 7, weekly: 4, monthly: 6, yearly: 1 };
  const of = (rule: Rule): string => String(left ? left[`prune_keep_${rule}`] : usual[rule]);
  return {
    name,
    sources: (series?.source_directories ?? []).join('\n'),
    excludes: (series?.exclude_patterns ?? []).join('\n'),
    compression: series?.compression ?? 'lz4',
    flags: series?.custom_flags ?? null,
    cron: series?.rhythm?.cron_expression ?? '0 2 * * *',
    prunes: left != null,
    keep: Object.fromEntries(rules.map((rule) => [rule, of(rule)])) as Record<Rule, string>,
  };
}

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

export const takeOver = (
  plan: Plan,
  { old, isOff, pattern }: { old: string; isOff: boolean; pattern: string | undefined },
) => ({
  old_scheduler_off: isOff,
  old_archives: old,
  ...(old === 'adopt' && pattern !== undefined && { pattern }),
  source_directories: lines(plan.sources),
  exclude_patterns: lines(plan.excludes),
  compression: plan.compression,
  custom_flags: plan.flags,
  schedule: {
    name: plan.name,
    cron_expression: plan.cron,
    timezone: ownZone,
    run_prune_after: plan.prunes,
    run_compact_after: plan.prunes,
    ...Object.fromEntries(rules.map((rule) => [`prune_keep_${rule}`, Number(plan.keep[rule]) || 0])),
  },
});
