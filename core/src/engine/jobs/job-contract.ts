import type { StorageSession } from '@holdfast/plugin-api';
import type { OperationOptions, ToolLogLine } from '@holdfast/plugin-api/driver';
import type { NewEvent } from '../../foundation/events/index.js';
import type { Message } from '../../foundation/kernel/index.js';
import type { RepositoryRow } from '../registry/tables.js';
import type {
  JobKind,
  JobOutcome,
  JobParameters,
  JobProgress,
  LaneMode,
  TerminalStatus,
} from './job.rules.js';
import type { JobRow } from './tables.js';

/** What the engine passes to a handler for one run. Not to be used after `run` has settled. */
export interface JobContext {
  job: JobRow;
  /** Throws in a job that belongs to no repository. */
  repository: RepositoryRow;
  /** Aborted when the job is cancelled, the service shuts down or the lease is lost. */
  signal: AbortSignal;
  /** Aborted only when the lease is lost, for work that must be finished even after a cancellation. */
  lost: AbortSignal;
  /** Merged into the last figures and written at most once a second. */
  progress(patch: Partial<JobProgress>): void;
  /** Appends lines to the job's log. */
  log(line: ToolLogLine): void;
  /** `signal`, `onLog`, `onProcess` and lock wait for a driver operation of this job. */
  toolOptions(): OperationOptions;
}

export interface JobResult {
  /** `cancelled`: it was put off, and nothing failed. */
  status: TerminalStatus;
  /** Why it failed or was put off, or the warnings, for users. */
  error?: Message | null;
  outcome?: JobOutcome;
  progress?: Partial<JobProgress>;
}

export interface JobEnd {
  status: TerminalStatus;
  error: Message | null;
  outcome: JobOutcome | null;
}

/** Writes an event that only the transaction can tell. */
export type RecordEvent = (event: NewEvent) => Promise<void>;

/** What a handler adds to the transaction that writes the terminal state of its job. */
export interface Settlement {
  events?: NewEvent[];
  commit?(session: StorageSession, record: RecordEvent): Promise<void>;
}

/** Runs one kind of job. Handlers keep no state between runs. */
export interface JobHandler {
  kind: JobKind;
  /** `none`: its jobs belong to no repository. They take a place, but no lane. */
  lane: LaneMode | 'none';
  /** `recover` is also called for a cancelled job, because it may still be complete. */
  recoversCancelled?: boolean;
  /** Does the work. When it throws, the job fails (or is cancelled, if the signal was aborted for that). */
  run(context: JobContext): Promise<JobResult>;
  /**
   * Called instead of `run` for a job whose instance vanished, after its tool was ended. Finds out the result by
   * asking the repository, never by repeating the work.
   */
  recover(context: JobContext): Promise<JobResult>;
  /** True when the job takes one of the places for pulls; default: false. */
  pulls?(repository: RepositoryRow): boolean;
  /** What a pending job waits for besides its lane, as a noun. Called in the transaction that would take it. */
  waitsFor?(session: StorageSession, job: JobRow): Promise<Message | null>;
  /**
   * Called for every terminal transition, whatever its cause. `repository` is null when it is no longer registered.
   */
  settle(job: JobRow, end: JobEnd, repository: RepositoryRow | null): Settlement;
}

export interface NewJob {
  kind: JobKind;
  /** `id` is null for a job that belongs to no repository; path and name are then for display. */
  repository: Pick<RepositoryRow, 'path' | 'name'> & { id: number | null };
  parameters: JobParameters;
  requestedBy: string;
  scheduleId?: number;
  slotId?: number;
}

/** What use cases need from the job engine. */
export interface JobQueue {
  /** Inserts the row, in `session` when given, as part of a larger transaction. Call `wake` after the commit. */
  insert(job: NewJob, session?: StorageSession): Promise<JobRow>;
  /** Makes an instance look at a job at once. Never fails and need not be awaited. */
  wake(jobId: number): void;
  /** What a job inserted now, of this kind if given, would wait for, for users, or null. */
  waitsFor(repositoryId: number, kind?: JobKind): Promise<string | null>;
  /**
   * Cancels a pending or running job. Resolves when it has ended or after a few seconds. `terminated`: a running tool
   * was ended. Throws AppError `not_found`, or `invalid` when the job had already ended.
   */
  cancel(jobId: number, kind: JobKind): Promise<{ terminated: boolean; job: JobRow }>;
  /** The row of the job once it has ended, or its current row after `waitMs`. Throws AppError `not_found`. */
  whenEnded(jobId: number, kind: JobKind, waitMs: number): Promise<JobRow>;
}

/** Lets a request read a repository, using a place in its lane. */
export interface ReadingLane {
  /**
   * Waits at most `waitMs` (default 20 s) for the lane, then runs `work` while holding a place that is renewed.
   * Throws AppError `conflict` with the name of the holder and `Retry-After` when the lane stays busy.
   */
  withLane<T>(repositoryId: number, what: string, work: () => Promise<T>, waitMs?: number): Promise<T>;
  /** Runs `work` alone in the lane. Throws AppError `conflict` at once when the lane is in use. */
  aloneInLane<T>(repositoryId: number, what: string, work: () => Promise<T>): Promise<T>;
}

/** A job that is being ended, within that transaction. */
export interface EndedJob {
  job: JobRow;
  end: JobEnd;
  /** Null when it is no longer registered. */
  repository: RepositoryRow | null;
}

/** What another room does in the transaction that ends a job. */
export type AfterJob = (session: StorageSession, ended: EndedJob, record: RecordEvent) => Promise<void>;
