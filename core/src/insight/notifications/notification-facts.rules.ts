/** The facts in the data of an event. Rows from other releases may lack fields. */
export interface NotifiedFacts {
  archive: string | null;
  repository: string | null;
  location: string | null;
  jobId: number | null;
  /** Name of the schedule. */
  jobName: string | null;
  error: string | null;
  warning: string | null;
  sources: string[];
  expectedSize: number | null;
  sizes: { original: number; compressed: number; deduplicated: number } | null;
  destination: string | null;
  checkType: 'manual' | 'scheduled' | null;
  seconds: number | null;
  cancelled: boolean;
  /** The object of an incident, if it is not a repository. */
  object: string | null;
  /** How an incident ended. */
  recovery: string | null;
  /** When the incident of a reminder was opened, in milliseconds. */
  remindsOf: number | null;
  report: WeeklyReport | null;
}

/** The `report` of an event `report_weekly`. */
export interface WeeklyReport {
  /** Milliseconds. */
  from: number;
  until: number;
  repositories: { protected: number; late: number; unknown: number; damaged: number };
  runs: { planned: number; ran: number; failed: number };
  /** Bytes that the archives of the week added, and how many archives there are. */
  growth: { archives: number; bytes: number };
  /** The repository whose last full check, or last complete restore, is the oldest; `at` is null when it had none. */
  oldest_check: { repository: string; at: string | null } | null;
  oldest_restore: { repository: string; at: string | null } | null;
  /** Sentences about open incidents, the first ones of `open_incidents`. */
  next_steps: string[];
  open_incidents: number;
}

type Data = Record<string, unknown>;

export const factsIn = (data: Data): NotifiedFacts => ({
  archive: text(data.archive_name) ?? text(data.archive),
  repository: text(data.repository_name) ?? text(data.repository_path),
  location: withoutUser(text(data.repository_path)),
  jobId: number(data.job_id),
  jobName: text(data.job_name) ?? text(data.schedule_name),
  error: text(data.error_message) ?? text(data.reason),
  warning: text(data.warning_message),
  sources: [data.source_directories, data.sources].flatMap((names) =>
    Array.isArray(names) ? names.map(String) : [],
  ),
  expectedSize: number(data.expected_size),
  sizes: sizesIn(data.stats),
  destination: text(data.target_path) ?? text(data.destination),
  checkType: data.check_type === 'manual' || data.check_type === 'scheduled' ? data.check_type : null,
  seconds: number(data.duration_seconds),
  cancelled: data.status === 'cancelled',
  object: data.object_kind === 'repository' ? null : text(data.object_name),
  recovery: text(data.recovery),
  remindsOf: data.reminder === true ? Date.parse(String(data.opened_at)) || null : null,
  report: (data.report as WeeklyReport | undefined) ?? null,
});

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function sizesIn(stats: unknown): NotifiedFacts['sizes'] {
  if (typeof stats !== 'object' || stats === null) return null;
  const { original_size, compressed_size, deduplicated_size } = stats as Data;
  return {
    original: number(original_size) ?? 0,
    compressed: number(compressed_size) ?? 0,
    deduplicated: number(deduplicated_size) ?? 0,
  };
}

/** Chat services would treat `user@host` as a mention. */
const withoutUser = (location: string | null) => location?.replace(/^(ssh:\/\/)[^/@]*@/, '$1') ?? null;

/** `42s`, `3m 5s`, `1h 2m`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${whole % 60}s`;
  return `${Math.floor(whole / 3600)}h ${Math.floor((whole % 3600) / 60)}m`;
}
