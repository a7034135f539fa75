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
