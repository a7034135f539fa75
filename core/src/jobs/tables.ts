import { col, entity, type RowOf, sealed } from '@holdfast/plugin-api';
import type { ToolProcess } from '@holdfast/plugin-api/driver';
import type { JobKind, JobOutcome, JobParameters, JobProgress, JobStatus, LaneHolder } from './job.rules.js';
import type { JobFigures } from './job-figures.rules.js';

/** Every piece of work that outlives a request. This row is the truth about it. */
export const jobs = entity(
  'job',
  {
    id: col.id(),
    /** Random, never given again; null for jobs of before there was one. */
    uid: col.text().nullable(),
    kind: col.text<JobKind>().required(),
    status: col.text<JobStatus>().required(),
    /** Null when the repository's registration was removed. */
    repository_id: col.integer.nullable(),
    repository_path: col.text().required(),
    repository_name: col.text().required(),
    schedule_id: col.integer.nullable(),
    slot_id: col.integer.nullable(),
    /** Name of the user, or of the schedule, that asked for it. */
    requested_by: col.text().required(),
    requested_at: col.timestamp.required(),
    started_at: col.timestamp.nullable(),
    completed_at: col.timestamp.nullable(),
    parameters: sealed('inside', col.json<JobParameters>().required()),
    progress: col.json<JobProgress>().required(),
    outcome: col.json<JobOutcome>().nullable(),
    /** What the tool said, until the job ended: whoever takes it over tells the same. */
    reported: col.json<JobOutcome>().nullable(),
    error_message: col.text().nullable(),
    /** Prune and compact after a scheduled backup. */
    maintenance_status: col.text().nullable(),
    /** What a pending job waits for, in words. */
    waiting_for: col.text().nullable(),
    cancel_requested: col.boolean.default(false),
    /** Instance that runs it. */
    owner: col.text().nullable(),
    lease_until: col.timestamp.nullable(),
    /** Raised with each taking; a write of a run holds only with its own number. */
    fence: col.integer.default(0),
    tool: col.json<ToolProcess>().nullable(),
    log_lines: col.integer.default(0),
  },
  {
    indexes: [
      ['status', 'kind'],
      ['repository_id', 'kind', 'status'],
      ['kind', 'requested_at'],
      // Lists of the newest ones are read in this order.
      ['kind', 'id'],
      ['schedule_id'],
      ['slot_id'],
      ['completed_at'],
      ['uid'],
    ],
  },
);

/**
 * What the ended jobs of a repository come to, so that metrics need not count rows; 0 stands for repositories that are
 * not registered any more. Written in the transaction that ends a job.
 */
export const jobFigures = entity(
  'job_figures',
  {
    id: col.id(),
    repository_id: col.integer.required(),
    figures: col.json<JobFigures>().required(),
    /** The part of them whose jobs were removed. */
    removed: col.json<JobFigures>().nullable(),
  },
  { unique: [['repository_id']] },
);

/** Chunks of a job's log: `content` holds `line_count` lines joined by newlines, from line `first_line` (0-based). */
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

/** One row a repository: who may use the tool on it now. Changed by compare-and-set on `version` only. */
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

export type JobLogRow = RowOf<typeof jobLogs>;

export type LaneRow = RowOf<typeof lanes>;

/**
 * The processes that serve this storage. A row is true while its lease lasts; who needs the storage alone looks here.
 */
export const instances = entity(
  'instance',
  {
    id: col.id(),
    uid: col.text().required(),
    /** For people. */
    host: col.text().required(),
    pid: col.integer.required(),
    /** Of the machine and its processes, and of the process among them: tells on the same machine whether it lives. */
    place: col.text().required(),
    process_start: col.text().required(),
    version: col.text().required(),
    started_at: col.timestamp.required(),
    lease_until: col.timestamp.required(),
  },
  { unique: [['uid']] },
);

export type InstanceRow = RowOf<typeof instances>;
