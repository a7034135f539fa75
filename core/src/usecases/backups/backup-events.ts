import type { NewEvent } from '../../domain/event.js';
import type { JobEnd } from '../../runtime/job-contract.js';
import type { JobRow, RepositoryRow } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import type { BackupOutcome } from './backup-job.js';

type Named = Pick<JobRow, 'id' | 'repository_id' | 'repository_name' | 'repository_path'>;

const facts = (job: Named) => ({
  repository_name: job.repository_name,
  repository_path: job.repository_path,
  job_id: job.id,
});

export async function recordBackupStart(
  { storage, events }: Pick<Dependencies, 'storage' | 'events'>,
  job: JobRow,
  repository: RepositoryRow,
): Promise<void> {
  const data = { ...facts(job), source_directories: repository.source_directories };
  const event: NewEvent = { kind: 'backup_start', repositoryId: job.repository_id, jobId: job.id, data };
  events.announce([await storage.transaction((session) => events.record(session, event))]);
}

/** The one event that the end of a backup is; a cancelled one counts as a failure. */
export function endEvents(job: JobRow, end: JobEnd): NewEvent[] {
  const outcome = end.outcome as BackupOutcome | null;
  const about = { repositoryId: job.repository_id, jobId: job.id };
  if (end.status === 'failed' || end.status === 'cancelled') {
    const data = { ...facts(job), status: end.status, error_message: end.error };
    return [{ kind: 'backup_failure', ...about, data }];
  }
  const data = {
    ...facts(job),
    archive_name: outcome?.archive.name ?? null,
    stats: outcome && {
      original_size: outcome.stats.originalSize,
      compressed_size: outcome.stats.compressedSize,
      deduplicated_size: outcome.stats.deduplicatedSize,
    },
    ...(end.status === 'completed_with_warnings' ? { warning_message: end.error } : {}),
  };
  const kind = end.status === 'completed' ? 'backup_success' : 'backup_warning';
  return [
    { kind, ...about, data },
    { kind: 'archives_changed', ...about, data: { added: outcome ? [outcome.archive.name] : [] } },
  ];
}
