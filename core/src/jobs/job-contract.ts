import type { StorageSession } from '@holdfast/plugin-api';
import type { OperationOptions, ToolLogLine } from '@holdfast/plugin-api/driver';
import type { NewEvent } from '../events/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type {
  JobKind,
  JobOutcome,
  JobParameters,
  JobProgress,
  LaneMode,
  TerminalStatus,
} from './job.rules.js';
import type { JobRow } from './tables.js';

/** What the engine hands to a handler for one run. Nothing here may be used after `run` settled. */
export interface JobContext {
  job: JobRow;
  repository: RepositoryRow;
  /**
   * Aborted when the job is cancelled, the service shuts down or the lease is lost; the engine knows which.
   */
  signal: AbortSignal;
  /**
   * Aborted only when the lease is lost: what must be done also after a wish to cancel stops for nothing
   * else.
   */
  lost: AbortSignal;
  /** Merged into the last figures; written at most once a second. */
  progress(patch: Partial<JobProgress>): void;
  /** Appends lines to the job's log. */
  log(line: ToolLogLine): void;
  /** `signal`, `onLog`, `onProcess` and lock wait for a driver operation of this job. */
  toolOptions(): OperationOptions;
}

export interface JobResult {
  status: 'completed' | 'completed_with_warnings' | 'failed';
  /** Why it failed, or what the warnings were: for people. */
  error?: string | null;
  outcome?: JobOutcome;
  progress?: Partial<JobProgress>;
}

export interface JobEnd {
  status: TerminalStatus;
  error: string | null;
  outcome: JobOutcome | null;
}

/** What else is true once a job ended: written in the same transaction as its terminal state. */
export interface Settlement {
  events?: NewEvent[];
  commit?(session: StorageSession): Promise<void>;
}

/** One kind of job. Handlers keep nothing between runs. */
export interface JobHandler {
  kind: JobKind;
  lane: LaneMode;
  /** `recover` is called for a cancelled job too, which may be complete all the same: its run leaves more than the tool. */
  recoversCancelled?: boolean;
  /**
   * Does the work. What it throws makes the job failed (or cancelled, when the signal was aborted for that).
   */
  run(context: JobContext): Promise<JobResult>;
  /**
   * Called instead of `run` for a job whose owner vanished, after its tool was ended: says what became of it
   * by asking the repository, never by doing the work again.
   */
  recover(context: JobContext): Promise<JobResult>;
  /** Whether it takes one of the places for pulls; without it none does. */
  pulls?(repository: RepositoryRow): boolean;
  /** What a pending job waits for beside its lane, in words; asked in the transaction that would take it. */
  waitsFor?(session: StorageSession, job: JobRow): Promise<string | null>;
  /**
   * Called for every terminal transition, whatever led to it. `repository` is null when its registration is
   * gone.
   */
  settle(job: JobRow, end: JobEnd, repository: RepositoryRow | null): Settlement;
}

export interface NewJob {
  kind: JobKind;
  repository: RepositoryRow;
  parameters: JobParameters;
  requestedBy: string;
  scheduleId?: number;
  slotId?: number;
}

/** What use cases need of the job engine. */
export interface JobQueue {
  /**
   * Inserts the row (in `session` when given, so that it belongs to a larger transaction). Call `wake` after
   * the commit.
   */
  insert(job: NewJob, session?: StorageSession): Promise<JobRow>;
  /** Makes some instance look at a job at once. Never fails, never waited for. */
  wake(jobId: number): void;
  /** Why a job inserted now would have to wait, in words, or null. */
  waitsFor(repositoryId: number): Promise<string | null>;
  /**
   * Cancels a pending or running job. Resolves when it is terminal or after a few seconds.
   * `terminated`: a running tool was ended. AppError `not_found`, or `invalid` when it ended before.
   */
  cancel(jobId: number, kind: JobKind): Promise<{ terminated: boolean; job: JobRow }>;
  /** The job's row once it ended, or as it is when `waitMs` went by. AppError `not_found`. */
  whenEnded(jobId: number, kind: JobKind, waitMs: number): Promise<JobRow>;
}

/** A place among the readers of a repository for work inside a request. */
export interface ReadingLane {
  /**
   * Waits at most `waitMs` (default 20 s) for the lane, then runs `work` holding it, renewed until it
   * settles. AppError `conflict` with the holder's name and `Retry-After` when it stays busy.
   */
  withLane<T>(repositoryId: number, what: string, work: () => Promise<T>, waitMs?: number): Promise<T>;
  /** Runs `work` with nobody else in the lane. AppError `conflict`, at once, while anybody is. */
  aloneInLane<T>(repositoryId: number, what: string, work: () => Promise<T>): Promise<T>;
}

/** A job that ended, in the transaction that ends it. */
export interface EndedJob {
  job: JobRow;
  end: JobEnd;
  /** Null when its registration is gone. */
  repository: RepositoryRow | null;
}

/** What another room does in the transaction that ends a job. */
export type AfterJob = (session: StorageSession, ended: EndedJob) => Promise<void>;
