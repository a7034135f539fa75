import type { NewEvent } from '../events/event.rules.js';
import { succeeded } from '../jobs/maintenance-status.rules.js';
import type { RestoreParameters } from './restore.rules.js';
import type { JobEnd } from '../jobs/job-contract.js';
import type { JobRow } from '../schema/tables.js';

/** The one event that the end of a restore is; a cancelled one is none. */
export function restoreEvents(job: JobRow, end: JobEnd): NewEvent[] {
  if (end.status === 'cancelled') return [];
  const { archive, destination, destinationHost: host } = job.parameters as RestoreParameters;
  const { started_at, completed_at } = job;
  const known = started_at !== null && completed_at !== null;
  const data = {
    repository_name: job.repository_name,
    repository_path: job.repository_path,
    job_id: job.id,
    archive_name: archive,
    target_path: host ? `${host}:${destination}` : destination,
    status: end.status,
    duration_seconds: known ? Math.max(0, completed_at - started_at) / 1000 : null,
    error_message: end.error,
  };
  const kind = succeeded(end.status) ? 'restore_success' : 'restore_failure';
  return [{ kind, repositoryId: job.repository_id, jobId: job.id, data }];
}
