import type { DeleteJobView } from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext, JobHandler, JobKindFacts, JobResult } from '../../engine/jobs/index.js';
import { errorOf, findJob, type JobRow, jobs, readJobLog } from '../../engine/jobs/index.js';
import type { Caller } from '../../foundation/kernel/index.js';
import {
  conflict,
  inTransaction,
  invalid,
  isoTime,
  say,
  together,
  toolWarnings,
} from '../../foundation/kernel/index.js';
import {
  archivesChanged,
  findRepository,
  isPinned,
  noteRepository,
  openTarget,
  pinnedAmong,
  removeArchives,
} from '../repositories/index.js';
import { type ArchiveNeeds, type ArchiveSelector, findArchive, readStoredSize } from './archives.js';
import type { ArchivesNeeds } from './needs.js';

export const archiveDeletionHandler = (dependencies: ArchivesNeeds): JobHandler => ({
  kind: 'archive_deletion',
  lane: 'exclusive',
  run: runArchiveDeletion(dependencies),
  recover: recoverArchiveDeletion(dependencies),
  settle: (job, end, repository) => {
    if (!repository) return {};
    const removed = [String(job.parameters.archive)];
    if (end.status === 'completed' || end.status === 'completed_with_warnings') {
      return {
        events: [archivesChanged(repository.id, { removed }, job.id)],
        commit: async (session) => {
          await removeArchives(session, repository.id, removed);
          const stored_size = end.outcome?.repositoryStoredSize;
          if (typeof stored_size !== 'number') return;
          await noteRepository(session, repository.id, { stored_size });
        },
      };
    }
    if (job.started_at === null) return {};
    // It is not known whether the archive is still there: the next reader asks the tool.
    return {
      commit: async (session) => void (await noteRepository(session, repository.id, { inventory_at: null })),
    };
  },
});

const archiveOf = ({ job }: JobContext): string => String(job.parameters.archive);

const withTarget =
  (work: (needs: ArchivesNeeds, context: JobContext, target: RepositoryTarget) => Promise<JobResult>) =>
  (needs: ArchivesNeeds) =>
  async (context: JobContext): Promise<JobResult> => {
    const { target, release } = openTarget(needs, context.repository);
    try {
      return await work(needs, context, target);
    } finally {
      release();
    }
  };

const observedOnly = say`repository_read_only: The repository is in observe mode, which is read-only.`;

/** Deletes the archive of the job by its exact name. When it was already gone, the job has a warning. */
const runArchiveDeletion = withTarget(async (needs, context, target) => {
  const archive = archiveOf(context);
  if (context.repository.mode === 'observe') {
    return { status: 'failed', error: observedOnly };
  }
  // It may have been pinned while the job waited.
  const ids = [String(context.job.parameters.archive_id)];
  const about = { names: [archive], ids, now: needs.clock.now() };
  const pinned = await pinnedAmong(needs.storage, context.repository, about);
  if (pinned) return { status: 'failed', error: isPinned(pinned) };
  context.progress({ percent: 50, message: `Deleting archive ${archive}` });
  const { value, warnings } = await needs.driver.deleteArchives(
    target,
    { archives: [archive] },
    context.toolOptions(),
  );
  const gone = say`archive_already_gone: Archive ${{ archive }} no longer existed.`;
  const all = [...(value.missing.length > 0 ? [gone] : []), ...toolWarnings(warnings)];
  return {
    status: all.length > 0 ? 'completed_with_warnings' : 'completed',
    error: together(all),
    outcome: { repositoryStoredSize: await readStoredSize(needs, context, target) },
    progress: { percent: 100, message: null },
  };
});

/** Finds out the result of a deletion whose instance vanished, by asking the repository. */
const recoverArchiveDeletion = withTarget(async ({ driver }, context, target) => {
  const options = { ...context.toolOptions(), lockWaitSeconds: 20 };
  const listed = await driver.listArchives(target, {}, options);
  const archive = archiveOf(context);
  if (!listed.value.some(({ name }) => name === archive))
    return { status: 'completed', progress: { percent: 100 } };
  return {
    status: 'failed',
    error: say`archive_deletion_interrupted: Interrupted: Holdfast stopped while the archive was being deleted, and the archive still exists. Delete it again.`,
  };
});

/**
 * Queues the deletion of an archive. Throws AppError `not_found`; `invalid` in observe mode; `conflict` when it is
 * already being deleted, or pinned.
 */
export async function deleteArchive(
  needs: ArchiveNeeds & ArchivesNeeds,
  caller: Caller,
  selector: ArchiveSelector,
) {
  refuseObserving(await findRepository(needs.storage, selector));
  const { repository, archive } = await findArchive(needs, selector);
  const waitsFor = await needs.jobs.waitsFor(repository.id);
  const job = await inTransaction(needs.storage, async (session) => {
    await refuseDuplicate(session, repository.id, archive.name);
    const pinned = await pinnedAmong(session, repository, { names: [archive.name], now: needs.clock.now() });
    if (pinned) throw conflict(isPinned(pinned));
    const parameters = { archive: archive.name, archive_id: archive.tool_id };
    const asked = await findRepository(session, { repository_id: repository.id });
    const newJob = { kind: 'archive_deletion' as const, repository: asked, parameters };
    return needs.jobs.insert({ ...newJob, requestedBy: caller.username }, session);
  });
  needs.jobs.wake(job.id);
  const queued = `Deletion of archive ${archive.name} queued`;
  const message = waitsFor ? `${queued}; it waits for ${waitsFor}.` : `${queued}.`;
  return { success: true as const, job_id: job.id, status: 'pending' as const, message };
}

function refuseObserving({ mode, name }: { mode: string; name: string }): void {
  if (mode !== 'observe') return;
  throw invalid(
    say`deletion_in_observe_mode: Repository ${{ repository: name }} is in observe mode, which is read-only: set its mode to full to delete archives.`,
  );
}

async function refuseDuplicate(session: StorageSession, repositoryId: number, name: string): Promise<void> {
  const open = await session.find(jobs, {
    where: { repository_id: repositoryId, kind: 'archive_deletion', status: { in: ['pending', 'running'] } },
  });
  const same = open.find((job) => job.parameters.archive === name);
  if (same)
    throw conflict(
      say`archive_being_deleted: Archive ${{ archive: name }} is already being deleted by job ${{ job: same.id }}.`,
    );
}

/** Throws AppError `not_found`; `invalid` when the job had already ended. */
export async function cancelDeleteJob({ jobs }: ArchivesNeeds, jobId: number) {
  const { terminated, job } = await jobs.cancel(jobId, 'archive_deletion');
  const message = job.status === 'cancelled' ? 'Deletion cancelled.' : 'Cancelling: Borg is being stopped.';
  return { success: true as const, message, process_terminated: terminated };
}

const lastLines = 50;

/** Throws AppError `not_found`. */
export async function getDeleteJob({ storage }: ArchivesNeeds, jobId: number) {
  const job = await findJob(storage, 'archive_deletion', jobId);
  const offset = Math.max(0, job.log_lines - lastLines);
  const { lines } = await readJobLog(storage, jobId, { offset, limit: lastLines });
  return {
    success: true as const,
    ...deleteJobView(
      job,
      lines.map((line) => line.content),
    ),
  };
}

/** What the list of all jobs shows of a deletion. */
export const deletionJobFacts: JobKindFacts = {
  about: ({ parameters }) => ({ archive: String(parameters.archive ?? '') }),
  needsAdmin: () => true,
};

/** The API has no warning status for these jobs: one with warnings is completed and has an `error_message`. */
function deleteJobView(job: JobRow, lastLines: string[]): DeleteJobView {
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
    ...errorOf(job),
    logs: lastLines.length > 0 ? lastLines.join('\n') : null,
    has_logs: job.log_lines > 0,
  };
}

function progressMessage({ status, waiting_for, progress }: JobRow): string | null {
  if (status === 'pending') return waiting_for === null ? 'Waiting to start' : `Waiting for ${waiting_for}`;
  return status === 'running' ? (progress.message ?? 'Deleting the archive') : null;
}
