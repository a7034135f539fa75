import type { NewEvent } from '../../foundation/events/index.js';
import type { JobRow } from './tables.js';

/** The event of a job that changed its state, to be recorded in the transaction of that change. */
export function jobEvent(kind: 'job_queued' | 'job_started' | 'job_ended', job: JobRow): NewEvent {
  const { id, repository_id, schedule_id, status, error_message } = job;
  const data = {
    kind: job.kind,
    status,
    repository_id,
    repository_name: job.repository_name,
    schedule_id,
    ...(kind === 'job_ended' ? { error_message } : {}),
  };
  return { kind, repositoryId: repository_id, jobId: id, data };
}
