export type JobKind =
  | 'backup'
  | 'restore'
  | 'check'
  | 'prune'
  | 'compact'
  | 'archive_deletion'
  | 'listing'
  | 'inventory';

export type JobStatus =
  | 'pending'
  | 'running'
  | 'completed'
  | 'completed_with_warnings'
  | 'failed'
  | 'cancelled';

export const terminalStatuses = ['completed', 'completed_with_warnings', 'failed', 'cancelled'] as const;
export type TerminalStatus = (typeof terminalStatuses)[number];

export const isTerminal = (status: JobStatus): status is TerminalStatus =>
  (terminalStatuses as readonly string[]).includes(status);

/** Last known figures; a figure that the tool did not tell again keeps its value. Bytes, counts, seconds. */
export interface JobProgress {
  percent: number;
  originalSize: number;
  compressedSize: number;
  deduplicatedSize: number;
  files: number;
  currentPath: string;
  /** MB/s (2^20), moving average over 30 s. */
  speed: number;
  /** Bytes of the sources; 0 until known. */
  expectedSize: number;
  secondsRemaining: number;
  message: string | null;
}

export const noProgress: JobProgress = {
  percent: 0,
  originalSize: 0,
  compressedSize: 0,
  deduplicatedSize: 0,
  files: 0,
  currentPath: '',
  speed: 0,
  expectedSize: 0,
  secondsRemaining: 0,
  message: null,
};

/** What a job was asked to do; each kind's handler knows its own keys. JSON. */
export type JobParameters = Record<string, unknown>;

/** What came out of it, beyond status and error; each kind's handler knows its own keys. JSON. */
export type JobOutcome = Record<string, unknown>;

/** A job in words, for those who wait for it: `backup job 12 of repository photos`. */
export const describeJob = (job: { kind: JobKind; id: number; repository_name: string }): string =>
  `${job.kind.replaceAll('_', ' ')} job ${job.id} of repository ${job.repository_name}`;

/** `exclusive` for what writes (create, delete, prune, compact, check), `shared` for what reads beside others. */
export type LaneMode = 'exclusive' | 'shared';

export interface LaneHolder {
  /** `job:<id>`, or `read:<random>` for a request that reads. */
  id: string;
  mode: LaneMode;
  /** In words, for those who wait: `backup job 12`. */
  what: string;
  /** Milliseconds since the epoch; a reader's place ends by itself, a job's only with its job. */
  until: number;
}

/** A lane admits a newcomer when all its holders and the newcomer share. */
export function admits(holders: readonly LaneHolder[], mode: LaneMode): boolean {
  return holders.length === 0 || (mode === 'shared' && holders.every((holder) => holder.mode === 'shared'));
}

/** No reader's place is given for as long: it was given by a clock that has been set back since. */
const longestPlace = 120_000;

/** Readers whose time ended are forgotten; jobs stay until their job says so. */
export function withoutExpiredReaders(holders: readonly LaneHolder[], now: number): LaneHolder[] {
  const lives = ({ until }: LaneHolder) => until > now && until <= now + longestPlace;
  return holders.filter((holder) => !holder.id.startsWith('read:') || lives(holder));
}

/** How far prune and compact after a scheduled backup came; shown with the backup's job. */
export type MaintenanceStatus =
  | 'running_prune'
  | 'prune_completed'
  | 'prune_failed'
  /** The archive lacks sources: nothing is removed, and no compact follows. */
  | 'prune_skipped'
  | 'running_compact'
  | 'compact_failed'
  | 'maintenance_completed';

/** A step that ended with warnings did its work. */
export const succeeded = (status: TerminalStatus): boolean =>
  status === 'completed' || status === 'completed_with_warnings';

/** After the prune; a compact that follows makes it go on from there. */
export function statusAfterPrune(status: TerminalStatus, compactFollows: boolean): MaintenanceStatus {
  if (!succeeded(status)) return 'prune_failed';
  return compactFollows ? 'prune_completed' : 'maintenance_completed';
}

/** After the compact, the last step: it does not hide that the prune before it failed. */
export function statusAfterCompact(status: TerminalStatus, pruneFailed: boolean): MaintenanceStatus {
  if (!succeeded(status)) return 'compact_failed';
  return pruneFailed ? 'prune_failed' : 'maintenance_completed';
}
