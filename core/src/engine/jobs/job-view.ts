import type { JobProgressEvent, JobProgressView, JobSubject, JobView } from '@holdfast/contracts';
import { type Caller, escapeName, isoTime, shownParams } from '../../foundation/kernel/index.js';
import { isTerminal, type JobKind, type JobProgress } from './job.rules.js';
import type { JobRow } from './tables.js';

/** What the list of all jobs has to know of one kind. */
export interface JobKindFacts {
  about(job: JobRow): JobSubject;
  /** Whether only an administrator may cancel it. */
  needsAdmin(job: JobRow): boolean;
}
export type JobKinds = Readonly<Record<JobKind, JobKindFacts>>;

/** A job of any kind, as this caller may see and use it. */
export function jobView(job: JobRow, kinds: JobKinds, caller: Pick<Caller, 'isAdmin' | 'readOnly'>): JobView {
  const { status, started_at: from, completed_at: to } = job;
  const { about, needsAdmin } = kinds[job.kind];
  const mayCancel = !caller.readOnly && (caller.isAdmin || !needsAdmin(job));
  return {
    id: job.id,
    kind: job.kind,
    status,
    repository: job.repository_path,
    repository_id: job.repository_id,
    repository_name: job.repository_name,
    schedule_id: job.schedule_id,
    requested_by: job.requested_by,
    requested_at: isoTime(job.requested_at),
    started_at: isoTime(from),
    completed_at: isoTime(to),
    seconds: from === null || to === null ? null : Math.max(0, to - from) / 1000,
    ...progressOf(job),
    ...sentencesOf(job),
    has_logs: job.log_lines > 0,
    cancel_requested: job.cancel_requested,
    cancellable: mayCancel && !isTerminal(status),
    about: about(job),
  };
}

/** Why a job failed, or its warnings, as fields of an answer. */
export const errorOf = ({
  error_message,
  error_code,
  error_params,
}: Pick<JobRow, 'error_message' | 'error_code' | 'error_params'>) => ({
  error_message,
  error_code,
  error_params: shownParams(error_params),
});

/** Also what a pending job waits for. */
export function sentencesOf(job: JobRow) {
  const waits = job.status === 'pending';
  return {
    ...errorOf(job),
    waiting_for: waits ? job.waiting_for : null,
    waiting_for_code: waits ? job.waiting_for_code : null,
    waiting_for_params: shownParams(waits ? job.waiting_for_params : null),
  };
}

/** The progress of a running job, for streams. */
export const progressView = (job: JobRow): JobProgressEvent => ({
  job_id: job.id,
  kind: job.kind,
  repository_id: job.repository_id,
  schedule_id: job.schedule_id,
  ...progressOf(job),
});

const progressOf = ({ status, progress }: JobRow) => ({
  progress: Math.floor(Math.min(100, Math.max(0, progress.percent))),
  progress_details: detailsOf(progress),
  progress_message: status === 'running' ? progress.message : null,
});

const detailsOf = (progress: JobProgress): JobProgressView => ({
  original_size: progress.originalSize,
  compressed_size: progress.compressedSize,
  deduplicated_size: progress.deduplicatedSize,
  nfiles: progress.files,
  current_file: escapeName(progress.currentPath),
  speed: progress.speed,
  total_expected_size: progress.expectedSize,
  estimated_time_remaining: Math.round(progress.secondsRemaining),
});
