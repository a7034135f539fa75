import type { DeleteJobView } from '@holdfast/contracts';
import type { JobRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

/** The document knows no warning state for these jobs: one with warnings is completed and says so in `error_message`. */
export function deleteJobView(job: JobRow, lastLines: string[]): DeleteJobView {
  const status = job.status === 'completed_with_warnings' ? 'completed' : job.status;
  return {
    id: job.id,
    repository_id: job.repository_id,
    archive_name: String(job.parameters.archive ?? ''),
    status,
    requested_at: isoTime(job.requested_at),
    started_at: isoTime(job.started_at),
    completed_at: isoTime(job.completed_at),
    progress: status === 'completed' ? 100 : job.started_at === null ? 0 : 50,
    progress_message: progressMessage(job),
    error_message: job.error_message,
    logs: lastLines.length > 0 ? lastLines.join('\n') : null,
    has_logs: job.log_lines > 0,
  };
}

function progressMessage({ status, waiting_for, progress }: JobRow): string | null {
  if (status === 'pending') return waiting_for === null ? 'Waiting to start' : `Waiting for ${waiting_for}`;
  return status === 'running' ? (progress.message ?? 'Deleting the archive') : null;
}
