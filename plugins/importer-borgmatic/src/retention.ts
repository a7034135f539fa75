import { say } from '@holdfast/plugin-api';
import type { Config } from './options.js';
import type { Value } from './tree.js';

const counts = {
  keep_hourly: 'prune_keep_hourly',
  keep_daily: 'prune_keep_daily',
  keep_weekly: 'prune_keep_weekly',
  keep_monthly: 'prune_keep_monthly',
  keep_3monthly: 'prune_keep_quarterly',
  keep_yearly: 'prune_keep_yearly',
} as const;

/** Rules that are not named keep nothing. Null when none is. */
export function retentionOf(config: Config): Value | null {
  const { report } = config;
  const rules: Value = Object.fromEntries(Object.values(counts).map((field) => [field, 0]));
  for (const [name, field] of Object.entries(counts)) {
    const count = config.number(name);
    if (count === null) continue;
    // Counts above the limit of the field become unlimited, so that no archive is lost.
    rules[field] = count < 0 || count > 100_000 ? -1 : count;
    report.take(config.get(name));
  }
  rules.prune_keep_within = within(config);
  const keeps = Object.values(rules).some((value) => value !== 0 && value !== null);
  const skipped = skippedIn(config);
  if (!keeps) return null;
  return { ...rules, run_prune_after: !skipped.has('prune'), run_compact_after: !skipped.has('compact') };
}

function within(config: Config): string | null {
  const text = config.text('keep_within');
  if (text === null) return null;
  if (/^[1-9]\d{0,5}[Hdwmy]$/.test(text)) {
    config.report.take(config.get('keep_within'));
    return text;
  }
  config.report.lose(
    config.get('keep_within'),
    say`borgmatic_keep_within: Holdfast supports only hours, days, weeks, months and years.`,
    'retention',
  );
  return null;
}

const known = ['create', 'prune', 'compact', 'check'];

/** Actions that the file leaves out of each run. */
export function skippedIn(config: Config): Set<string> {
  const names = config.texts('skip_actions');
  const option = config.get('skip_actions');
  if (names.every((name) => known.includes(name))) config.report.take(option);
  else
    config.report.change(
      option,
      say`borgmatic_skip_actions: Of these actions, Holdfast has backup, prune, compact and check.`,
    );
  return new Set(names);
}

/** How archives of schedules are named; null for the names that Holdfast gives. */
export function archiveNameOf(config: Config): string | null {
  const option = config.get('archive_name_format');
  const text = config.text('archive_name_format');
  if (text === null) return null;
  const template = text
    .replace(/\{(utc)?now:%Y-%m-%d\}/g, '{date}')
    .replace(/\{(utc)?now(:%Y-%m-%dT%H:%M:%S(\.%f)?)?\}/g, '{now}');
  const rest = template.replace(/\{(now|date)\}/g, '');
  if (/[{}]/.test(rest) || template.length > 200 || !/\{(now|date)\}/.test(template)) {
    config.report.leave(
      option,
      say`borgmatic_archive_name: Holdfast has different placeholders: archives are named after the schedule. Existing archives keep their names.`,
    );
    return null;
  }
  config.report.take(option);
  return template;
}
