import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { ToolProcess } from '@holdfast/plugin-api/driver';
import type { MessageParams, StoredMessage } from '../../foundation/kernel/index.js';
import type { JobKind, JobOutcome, JobParameters, JobProgress, JobStatus, LaneHolder } from './job.rules.js';
import type { JobFigures } from './job-figures.rules.js';

/** What a backup did with a source so far. Times in milliseconds since the epoch; null: not yet. */
export interface JobSource {
  kind: string;
  name: string;
  dumps: number;
  begun: number;
  prepared: number | null;
  released: number | null;
  /** Why the archive lacks it. */
  failure: StoredMessage | null;
}

/** Work that outlives a request. This row is the source of truth. */
export const jobs = entity(
  'job',
  {
    id: col.id(),
    /** Random and unique; null for jobs from before this column existed. */
    uid: col.text().nullable(),
    kind: col.text<JobKind>().required(),
    status: col.text<JobStatus>().required(),
    /** Null when the repository is no longer registered. */
    repository_id: col.integer.nullable(),
    /** The registration that it ran under, when that was removed. */
    former_repository_id: col.integer.nullable(),
    repository_path: col.text().required(),
    repository_name: col.text().required(),
    schedule_id: col.integer.nullable(),
    slot_id: col.integer.nullable(),
    /** Name of the user or schedule that requested it. */
    requested_by: col.text().required(),
    requested_at: col.timestamp.required(),
    started_at: col.timestamp.nullable(),
    completed_at: col.timestamp.nullable(),
    parameters: sealed('inside', col.json<JobParameters>().required()),
    progress: col.json<JobProgress>().required(),
    outcome: col.json<JobOutcome>().nullable(),
    /** What the tool reported, until the job ends, so that an instance that takes it over can report the same. */
    reported: col.json<JobOutcome>().nullable(),
    error_message: col.text().nullable(),
    /** Null in rows of earlier releases, also when there is an error. */
    error_code: col.text().nullable(),
    error_params: col.json<MessageParams>().nullable(),
    /** Prune and compact after a scheduled backup. */
    maintenance_status: col.text().nullable(),
    /** What a pending job waits for, for users. */
    waiting_for: col.text().nullable(),
    waiting_for_code: col.text().nullable(),
    waiting_for_params: col.json<MessageParams>().nullable(),
    cancel_requested: col.boolean.default(false),
    /** Instance that runs it. */
    owner: col.text().nullable(),
    lease_until: col.timestamp.nullable(),
    /** Raised each time the job is taken; writes of a run succeed only with its own number. */
    fence: col.integer.default(0),
    tool: col.json<ToolProcess>().nullable(),
    log_lines: col.integer.default(0),
    /** Of a backup: the databases and containers that it prepares. */
    sources: col.json<JobSource[]>().nullable(),
  },
  {
    indexes: [
      ['status', 'kind'],
      ['repository_id', 'kind', 'status'],
      ['kind', 'requested_at'],
      // Lists of the newest jobs are read in this order.
      ['kind', 'id'],
      ['schedule_id'],
      ['former_repository_id'],
      ['slot_id'],
      ['completed_at'],
      ['uid'],
      // The list of all jobs: see `lookupsOf`.
      ['kind', 'status', 'id'],
      ['repository_id', 'id'],
      // Also keeps databases from reading all jobs of a repository for those that wait.
      ['repository_id', 'status', 'id'],
      ['repository_id', 'kind', 'status', 'id'],
      ['schedule_id', 'id'],
      ['schedule_id', 'kind', 'status', 'id'],
      ['schedule_id', 'repository_id', 'kind', 'status', 'id'],
    ],
  },
);

/**
 * Totals of the ended jobs of a repository, so that metrics need not count rows. `repository_id` 0 is for
 * repositories that are no longer registered. Written in the transaction that ends a job.
 */
export const jobFigures = entity(
  'job_figures',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    figures: col.json<JobFigures>().required(),
    /** The part of the figures from jobs that were removed. */
    removed: col.json<JobFigures>().nullable(),
  },
  { unique: [['repository_id']] },
);

/**
 * Chunks of a job log: `content` has `line_count` lines joined by newlines, starting at line `first_line` (0-based).
 */
export const jobLogs = entity(
  'job_log',
  {
    id: col.id(),
    job_id: col.integer.required(),
    first_line: col.integer.required(),
    line_count: col.integer.required(),
    content: col.text().required(),
  },
  { unique: [['job_id', 'first_line']] },
);

/** One row per repository: who may use the tool on it now. Changed only by compare-and-set on `version`. */
export const lanes = entity(
  'lane',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    version: col.integer.default(0),
    holders: col.json<LaneHolder[]>().required(),
  },
  { unique: [['repository_id']] },
);

export type JobRow = RowOf<typeof jobs>;

export type JobFiguresRow = RowOf<typeof jobFigures>;

export type JobLogRow = RowOf<typeof jobLogs>;

export type LaneRow = RowOf<typeof lanes>;

/**
 * The processes that use this storage. A row is valid while its lease lasts. Commands that need exclusive access
 * check it.
 */
export const instances = entity(
  'instance',
  {
    id: col.id(),
    uid: col.text().required(),
    /** For display. */
    host: col.text().required(),
    pid: col.integer.required(),
    /**
     * Identifies the machine and its process namespace; with `process_start`, shows on that machine whether the
     * process is alive.
     */
    place: col.text().required(),
    process_start: col.text().required(),
    version: col.text().required(),
    started_at: col.timestamp.required(),
    lease_until: col.timestamp.required(),
  },
  { unique: [['uid']] },
);

export type InstanceRow = RowOf<typeof instances>;
