import type { BackupJobView } from '@holdfast/contracts';
import {
  downloadLog,
  findJob,
  type JobKindFacts,
  type JobRow,
  type JobSource,
  jobs,
  readLog,
  sentencesOf,
} from '../../engine/jobs/index.js';
import {
  type Caller,
  inTransaction,
  isoTime,
  messageFrom,
  ReadCache,
  shownParams,
  useCasesOf,
} from '../../foundation/kernel/index.js';
import { hasPreHook } from '../hooks/index.js';
import { findRepository, type RepositorySelector } from '../repositories/index.js';
import { assertBackable, type ManualBackupParameters, nameZoneOf } from './backup-job.js';
import type { BackupsNeeds } from './needs.js';
import { openSource, type SourceNeeds } from './open-source.js';

export const backupsUseCases = (dependencies: BackupsNeeds) => ({
  ...useCasesOf(dependencies, {
    startBackup,
    getBackupStatus,
    cancelBackup,
  }),

  listBackupJobs: listBackupJobs(dependencies),

  readBackupLog: readLog.bind(null, dependencies, 'backup'),
  downloadBackupLog: downloadLog(dependencies, 'backup'),
});

type Needs = SourceNeeds & BackupsNeeds;

/**
 * Queues a backup. Throws AppError `not_found`; `invalid` in observe mode, without sources, or when none of
 * the folders exists and there are no databases.
 */
async function startBackup(needs: Needs, caller: Caller, input: RepositorySelector) {
  const { storage, jobs } = needs;
  const found = assertBackable(await findRepository(storage, input));
  const { id } = found;
  if (found.sources.length === 0 && !(await hasPreHook(storage, found))) {
    await (await openSource(needs, { repository: found, log: () => {} })).assertSourcesExist();
  }
  const waitsFor = await jobs.waitsFor(id, 'backup');
  const job = await inTransaction(storage, async (session) => {
    const repository = await findRepository(session, { repository_id: id });
    const parameters: ManualBackupParameters = { timeZone: await nameZoneOf(session, id) };
    return jobs.insert({ kind: 'backup', repository, parameters, requestedBy: caller.username }, session);
  });
  jobs.wake(job.id);
  const message = waitsFor ? `Backup queued; it waits for ${waitsFor}.` : 'Backup queued.';
  return { success: true as const, job_id: job.id, status: 'pending' as const, message };
}

/** Throws AppError `not_found`; `invalid` when the job has already ended. */
async function cancelBackup({ jobs }: BackupsNeeds, jobId: number) {
  const { terminated, job } = await jobs.cancel(jobId, 'backup');
  const message = job.status === 'cancelled' ? 'Backup cancelled.' : 'Cancelling: Borg is being stopped.';
  return { success: true as const, message, process_terminated: terminated };
}

async function getBackupStatus({ storage }: BackupsNeeds, jobId: number) {
  return {
    success: true as const,
    ...backupJobView(await findJob(storage, 'backup', jobId)),
  };
}

export interface BackupJobsQuery {
  limit: number;
  scheduled_only: boolean;
  manual_only: boolean;
}

/** Newest first. When both filters are set, scheduled wins. */
const listBackupJobs = ({ storage }: BackupsNeeds) => {
  const cache = new ReadCache(storage);
  return ({ limit, scheduled_only, manual_only }: BackupJobsQuery) => {
    const origin = scheduled_only ? { schedule_id: { not: null } } : manual_only ? { schedule_id: null } : {};
    return cache.read(JSON.stringify([limit, origin]), async () => {
      const rows = await storage.find(jobs, {
        where: { kind: 'backup', ...origin },
        order: [['id', 'desc']],
        limit,
      });
      return { success: true as const, jobs: rows.map(backupJobView) };
    });
  };
};

function backupJobView(job: JobRow): BackupJobView {
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
    ...sentencesOf(job),
    has_logs: job.log_lines > 0,
    archive_name: archiveNameOf(job),
    maintenance_status: job.maintenance_status,
    scheduled_job_id: job.schedule_id,
  };
}

/** What the list of all jobs shows of a backup. */
export const backupJobFacts: JobKindFacts = {
  about: (job) => ({
    archive: archiveNameOf(job),
    maintenance_status: job.maintenance_status,
    ...(job.sources && { sources: job.sources.map(sourceView) }),
  }),
  needsAdmin: () => false,
};

const sourceView = ({ kind, name, dumps, begun, prepared, released, failure }: JobSource) => {
  const said = failure === null ? null : messageFrom(failure);
  return {
    kind,
    name,
    dumps,
    begun_at: isoTime(begun),
    prepared_at: isoTime(prepared),
    released_at: isoTime(released),
    error_message: said?.text ?? null,
    error_code: said?.code ?? null,
    error_params: shownParams(said?.params ?? null),
  };
};

const clamp = (percent: number): number => Math.min(100, Math.max(0, percent));

function archiveNameOf(job: JobRow): string | null {
  const archive = job.outcome?.archive as { name?: unknown } | undefined;
  return typeof archive?.name === 'string' ? archive.name : null;
}
