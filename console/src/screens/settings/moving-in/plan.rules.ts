import type { Schemas } from '../../../api/client.js';
import { ownZone } from '../../../i18n/format.js';
import { type Keep, presets } from '../../schedules/plan.rules.js';

export type Series = Schemas['SuggestedSeries'];
export type Old = 'adopt' | 'leave' | 'later';

/** As the fields have it. */
export interface Plan {
  name: string;
  sources: string[];
  excludes: string;
  compression: string;
  flags: string | null;
  cron: string;
  prunes: boolean;
  keep: Keep;
}

/** Settings suggested by the archives, otherwise defaults. No pruning if no archive was removed before. */
export function planOf(series: Series | undefined, name: string): Plan {
  const { description: _, confidence: __, ...left } = series?.retention ?? {};
  return {
    name,
    sources: series?.source_directories ?? [],
    excludes: (series?.exclude_patterns ?? []).join('\n'),
    compression: series?.compression ?? 'lz4',
    flags: series?.custom_flags ?? null,
    cron: series?.rhythm?.cron_expression ?? '0 2 * * *',
    prunes: series?.retention != null,
    keep: { ...presets.standard, ...left },
  };
}

export const takeOver = (
  { name, sources, excludes, cron, prunes, keep, ...plan }: Plan,
  { old, isOff, pattern }: { old: Old; isOff: boolean; pattern: string | undefined },
) => ({
  old_scheduler_off: isOff,
  old_archives: old,
  ...(old === 'adopt' && pattern !== undefined && { pattern }),
  source_directories: sources,
  exclude_patterns: excludes.split('\n').filter((line) => line.trim() !== ''),
  compression: plan.compression,
  custom_flags: plan.flags,
  schedule: {
    name,
    cron_expression: cron,
    timezone: ownZone,
    run_prune_after: prunes,
    run_compact_after: prunes,
    ...keep,
  },
});
