import type { ParameterValues } from '../../../foundation/kernel/index.js';

/** After downtime: `one` run for all missed ones, or `none`. */
export type CatchUp = 'one' | 'none';

/** What a run waits for. JSON. */
export interface RunConditions {
  place_present?: boolean | undefined;
  host_reachable?: boolean | undefined;
  /** Two times of day, `HH:MM`. */
  not_between?: string[] | null | undefined;
  /** Paths, or `UUID=…`. */
  mounted?: string[] | undefined;
}

export interface RunRetry {
  times: number;
  after_minutes: number;
}

/** How many archives to keep per period; 0 turns the rule off. JSON. */
export interface RetentionCounts {
  hourly: number;
  daily: number;
  weekly: number;
  monthly: number;
  quarterly: number;
  yearly: number;
  /** All archives younger than this are kept; null turns the rule off. */
  withinHours: number | null;
}

/** A snapshot of the schedule for its jobs, taken when the run began. JSON. */
export interface ScheduleFacts {
  id: number;
  name: string;
  /** IANA name; times in archive names are in this zone. */
  timezone: string;
  /** The planned time of the run, milliseconds since the epoch. */
  plannedAt: number;
  archiveNameTemplate: string | null;
  /** The run has more than one repository: the default archive name includes it. */
  severalRepositories: boolean;
  runRepositoryScripts: boolean;
  preBackupScriptId: number | null;
  postBackupScriptId: number | null;
  preBackupScriptParameters: ParameterValues | null;
  postBackupScriptParameters: ParameterValues | null;
  /** Null: no prune after the backup. */
  prune: RetentionCounts | null;
  compact: boolean;
  /** Absent in runs of earlier releases. */
  retry?: RunRetry | null;
  /** When the next run is due, which takes over. */
  nextAt?: number | null;
  /** A run waits for its disks. */
  placePresent?: boolean;
}

/** The parameters of a backup job queued by a schedule. */
export interface ScheduledBackupParameters extends Record<string, unknown> {
  schedule: ScheduleFacts;
  /** The job that this one replaces: a stop of the service interrupted it, or it failed. */
  rerunOf?: number;
  /** How often it was tried again. */
  attempt?: number;
}

/** Null for a job that was not queued by a schedule. */
export function scheduleFactsOf(job: { parameters: Record<string, unknown> }): ScheduleFacts | null {
  return (job.parameters as Partial<ScheduledBackupParameters>).schedule ?? null;
}

/** The retention of a schedule, as stored and returned. */
export interface RetentionSettings {
  run_prune_after: boolean;
  prune_keep_hourly: number;
  prune_keep_daily: number;
  prune_keep_weekly: number;
  prune_keep_monthly: number;
  prune_keep_quarterly: number;
  prune_keep_yearly: number;
  prune_keep_within: string | null;
}

const hours: Record<string, number> = { H: 1, d: 24, w: 24 * 7, m: 24 * 31, y: 24 * 365 };

/** The hours of an interval in the format of the tool: `48H`, `2w`. A month has 31 days, a year 365. */
export const hoursOf = (interval: string): number =>
  Number(interval.slice(0, -1)) * (hours[interval.slice(-1)] ?? Number.NaN);

interface ScheduleSettings extends RetentionSettings {
  id: number;
  name: string;
  timezone: string;
  archive_name_template: string | null;
  run_repository_scripts: boolean;
  pre_backup_script_id: number | null;
  post_backup_script_id: number | null;
  pre_backup_script_parameters: ParameterValues | null;
  post_backup_script_parameters: ParameterValues | null;
  run_compact_after: boolean;
  retry: RunRetry | null;
  when: RunConditions | null;
  next_run: number | null;
}

export const retentionOf = (schedule: Omit<RetentionSettings, 'run_prune_after'>): RetentionCounts => ({
  hourly: schedule.prune_keep_hourly,
  daily: schedule.prune_keep_daily,
  weekly: schedule.prune_keep_weekly,
  monthly: schedule.prune_keep_monthly,
  quarterly: schedule.prune_keep_quarterly,
  yearly: schedule.prune_keep_yearly,
  withinHours: schedule.prune_keep_within === null ? null : hoursOf(schedule.prune_keep_within),
});

/** True if the retention of a schedule removes more archives than before. */
export function removesMore(before: RetentionSettings, after: RetentionSettings): boolean {
  if (after.run_prune_after && !before.run_prune_after) return true;
  const kept = retentionOf(before);
  const limit = (count: number | null | undefined) =>
    (count ?? 0) < 0 ? Number.POSITIVE_INFINITY : (count ?? 0);
  return Object.entries(retentionOf(after)).some(
    ([rule, count]) => limit(count) < limit(kept[rule as keyof typeof kept]),
  );
}

type Switches = Pick<
  ScheduleSettings,
  'timezone' | 'when' | 'run_repository_scripts' | `${'pre' | 'post'}_backup_script_${'id' | 'parameters'}`
> & { enabled: boolean; cron_expression: string; pause_until: number | null };

/** Whether an enabled schedule runs at other times or not at all, is paused longer, or other code runs with it. */
export function protectsLess(before: Switches, after: Switches): boolean {
  const timesOf = ({ enabled, cron_expression, timezone, when }: Switches) => [
    ...[enabled, cron_expression, timezone, when],
  ];
  const codeOf = (each: Switches) => [
    ...[each.run_repository_scripts, each.pre_backup_script_id, each.post_backup_script_id],
    ...[each.pre_backup_script_parameters, each.post_backup_script_parameters],
  ];
  const differs = (of: (each: Switches) => unknown[]) =>
    JSON.stringify(of(before)) !== JSON.stringify(of(after));
  const longer = (after.pause_until ?? 0) > (before.pause_until ?? 0);
  return (before.enabled && (longer || differs(timesOf))) || differs(codeOf);
}

export const factsOf = (
  schedule: ScheduleSettings,
  plannedAt: number,
  severalRepositories: boolean,
): ScheduleFacts => ({
  id: schedule.id,
  name: schedule.name,
  timezone: schedule.timezone,
  plannedAt,
  archiveNameTemplate: schedule.archive_name_template,
  severalRepositories,
  runRepositoryScripts: schedule.run_repository_scripts,
  preBackupScriptId: schedule.pre_backup_script_id,
  postBackupScriptId: schedule.post_backup_script_id,
  preBackupScriptParameters: schedule.pre_backup_script_parameters,
  postBackupScriptParameters: schedule.post_backup_script_parameters,
  prune: schedule.run_prune_after ? retentionOf(schedule) : null,
  compact: schedule.run_compact_after,
  retry: schedule.retry,
  nextAt: schedule.next_run,
  placePresent: schedule.when?.place_present === true,
});

/** The first free name of `Copy of <name>`, `Copy of <name> (2)`, …, at most 255 characters. */
export function copyName(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : ` (${n})`;
    const copy = `${`Copy of ${name}`.slice(0, 255 - suffix.length).trimEnd()}${suffix}`;
    if (!taken.has(copy)) return copy;
  }
}
