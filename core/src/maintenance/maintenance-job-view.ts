import type {
  CheckJobView,
  CompactJobView,
  MaintenanceJobView,
  PrunedArchive,
  PruneJobView,
} from '@holdfast/contracts';
import { isTerminal } from '../jobs/job.rules.js';
import type {
  CheckOutcome,
  CheckParameters,
  CompactOutcome,
  PruneOutcome,
  PruneParameters,
} from './maintenance-job.rules.js';
import type { JobRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

const percentOf = ({ progress }: JobRow): number => Math.floor(Math.min(100, Math.max(0, progress.percent)));

const maintenanceJob = (job: JobRow): MaintenanceJobView => ({
  id: job.id,
  repository_id: job.repository_id,
  repository: job.repository_path,
  repository_name: job.repository_name,
  status: job.status,
  triggered_by: job.schedule_id === null ? 'manual' : 'schedule',
  scheduled_job_id: job.schedule_id,
  requested_by: job.requested_by,
  requested_at: isoTime(job.requested_at),
  started_at: isoTime(job.started_at),
  completed_at: isoTime(job.completed_at),
  progress: percentOf(job),
  progress_message: isTerminal(job.status) ? null : job.progress.message,
  error_message: job.error_message,
  waiting_for: job.status === 'pending' ? job.waiting_for : null,
  has_logs: job.log_lines > 0,
});

export function checkJobView(job: JobRow): CheckJobView {
  const { repair, plannedAt, maxSeconds, verifyData } = job.parameters as CheckParameters;
  const outcome = job.outcome as Partial<CheckOutcome> | null;
  return {
    ...maintenanceJob(job),
    triggered_by: plannedAt === null ? 'manual' : 'schedule',
    check_type: repair ? 'repair' : plannedAt === null ? 'manual' : 'scheduled',
    max_duration: maxSeconds,
    verify_data: verifyData,
    partial: maxSeconds > 0,
    problems_found: outcome?.damaged ?? null,
  };
}

export const compactJobView = (job: JobRow): CompactJobView => ({
  ...maintenanceJob(job),
  freed_bytes: (job.outcome as CompactOutcome | null)?.freedBytes ?? null,
});

export function pruneJobView(job: JobRow): PruneJobView {
  const { byHand, scheduleId } = job.parameters as PruneParameters;
  const plan = planOf(job);
  return {
    ...maintenanceJob(job),
    dry_run: byHand?.dryRun ?? false,
    schedule_id: scheduleId,
    kept_count: plan?.filter(({ rule }) => rule !== null).length ?? null,
    removed_count: plan?.filter(({ rule }) => rule === null).length ?? null,
  };
}

/** What a prune decided of each archive, newest first; null when it did not come so far. */
export const prunedArchives = (job: JobRow): PrunedArchive[] | null =>
  planOf(job)?.map(({ name, start, rule }) => ({ name, start: isoTime(start), rule: rule ?? 'removed' })) ??
  null;

const planOf = ({ outcome }: JobRow): PruneOutcome['plan'] | undefined =>
  (outcome as Partial<PruneOutcome> | null)?.plan;

export const runningJobView = (job: JobRow) => ({
  id: job.id,
  progress: percentOf(job),
  progress_message: job.progress.message,
  started_at: isoTime(job.started_at),
});
