import type { NewEvent } from '../events/event.rules.js';
import type { CheckParameters } from './maintenance-job.rules.js';
import { succeeded } from '../jobs/maintenance-status.rules.js';
import type { JobEnd } from '../jobs/job-contract.js';
import { wasInterrupted } from '../jobs/job-end.js';
import type { JobRow } from '../schema/tables.js';

/** A planned check that was cut short because the service was stopped is made up for, once. */
export function isMadeUpFor(job: JobRow, end: JobEnd): boolean {
  const { plannedAt, rerunOf } = job.parameters as CheckParameters;
  return wasInterrupted(end) && plannedAt !== null && rerunOf === undefined && job.repository_id !== null;
}

/**
 * The one event that the end of a check is. A cancelled one is none, nor one that is made up for, nor a repair that did
 * its work.
 */
export function checkEvents(job: JobRow, end: JobEnd): NewEvent[] {
  const { plannedAt, repair, maxSeconds } = job.parameters as CheckParameters;
  const passed = succeeded(end.status);
  if (end.status === 'cancelled' || isMadeUpFor(job, end) || (repair && passed)) return [];
  const { started_at, completed_at } = job;
  const known = started_at !== null && completed_at !== null;
  const data = {
    repository_name: job.repository_name,
    repository_path: job.repository_path,
    job_id: job.id,
    check_type: plannedAt === null ? 'manual' : 'scheduled',
    status: end.status,
    partial: maxSeconds > 0,
    duration_seconds: known ? Math.max(0, completed_at - started_at) / 1000 : null,
    error_message: end.error,
  };
  const kind = passed ? 'check_success' : 'check_failure';
  return [{ kind, repositoryId: job.repository_id, jobId: job.id, data }];
}
