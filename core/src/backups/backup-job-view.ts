import type { BackupJobView } from '@holdfast/contracts';
import type { JobRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

export function backupJobView(job: JobRow): BackupJobView {
  const { progress } = job;
  const percent = clamp(progress.percent);
  return {
    id: job.id,
    repository: job.repository_path,
    repository_id: job.repository_id,
    repository_name: job.repository_name,
    status: job.status,
    requested_at: isoTime(job.requested_at),
    started_at: isoTime(job.started_at),
    completed_at: isoTime(job.completed_at),
    progress: Math.floor(percent),
    progress_details: {
      original_size: progress.originalSize,
      compressed_size: progress.compressedSize,
      deduplicated_size: progress.deduplicatedSize,
      nfiles: progress.files,
      current_file: progress.currentPath,
      progress_percent: percent,
      backup_speed: progress.speed,
      total_expected_size: progress.expectedSize,
      estimated_time_remaining: Math.round(progress.secondsRemaining),
    },
    error_message: job.error_message,
    waiting_for: job.status === 'pending' ? job.waiting_for : null,
    has_logs: job.log_lines > 0,
    archive_name: archiveNameOf(job),
    maintenance_status: job.maintenance_status,
    scheduled_job_id: job.schedule_id,
  };
}

const clamp = (percent: number): number => Math.min(100, Math.max(0, percent));

function archiveNameOf(job: JobRow): string | null {
  const archive = job.outcome?.archive as { name?: unknown } | undefined;
  return typeof archive?.name === 'string' ? archive.name : null;
}
