import type {
  CheckJobView,
  CompactJobView,
  MaintenanceJobView,
  PrunedArchive,
  PruneJobView,
} from '@holdfast/contracts';
import type { StorageSession } from '@holdfast/plugin-api';
import {
  downloadLog,
  findJob,
  isTerminal,
  type JobKindFacts,
  type JobRow,
  jobs,
  lastLines,
  readLog,
  sentencesOf,
} from '../../engine/jobs/index.js';
import type { Caller } from '../../foundation/kernel/index.js';
import { conflict, forbidden, inTransaction, invalid, isoTime, say } from '../../foundation/kernel/index.js';
import { findRepository } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type {
  CheckOutcome,
  CheckParameters,
  CompactOutcome,
  PruneOutcome,
  PruneParameters,
} from './maintenance-job.rules.js';
import type { MaintenanceNeeds } from './needs.js';

type Kind = 'check' | 'compact' | 'prune';

const shownLines = 1_000;

/** Use cases for the jobs of one kind. `view` renders list items, `single` one job. */
export const maintenanceJobs = <View, Single>(
  needs: MaintenanceNeeds,
  kind: Kind,
  { view, single }: { view(job: JobRow): View; single(job: JobRow): Single },
) => ({
  /** Throws AppError `not_found`. */
  async get(jobId: number) {
    const job = await findJob(needs.storage, kind, jobId);
    return { success: true as const, ...single(job), logs: await lastLines(needs, job, shownLines) };
  },

  /** Newest first; empty for an unregistered repository. */
  async list(repositoryId: number, { limit }: { limit: number }) {
    const where = { repository_id: repositoryId, kind };
    const rows = await needs.storage.find(jobs, { where, order: [['id', 'desc']], limit });
    return { success: true as const, jobs: rows.map(view) };
  },

  /**
   * Throws AppError `not_found`; `invalid` when the job has already ended; `forbidden` for a repair unless
   * the caller is an administrator.
   */
  async cancel(caller: Caller, jobId: number) {
    if (isRepair(await findJob(needs.storage, kind, jobId)) && !caller.isAdmin) {
      throw forbidden(say`repair_cancelled_by_administrators: Only an administrator may cancel a repair.`);
    }
    const { terminated, job } = await needs.jobs.cancel(jobId, kind);
    const name = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
    const message = job.status === 'cancelled' ? `${name} cancelled.` : 'Cancelling: Borg is being stopped.';
    return { success: true as const, message, process_terminated: terminated };
  },

  readLog: readLog.bind(null, needs, kind),
  downloadLog: downloadLog(needs, kind),
});

/** The running maintenance job of each kind on a repository. */
export async function listRunningJobs({ storage }: MaintenanceNeeds, repositoryId: number) {
  const running = await storage.find(jobs, {
    where: { repository_id: repositoryId, status: 'running', kind: { in: ['check', 'compact', 'prune'] } },
  });
  const of = (kind: string) => {
    const job = running.find((each) => each.kind === kind);
    return job ? runningJobView(job) : null;
  };
  return {
    success: true as const,
    has_running_jobs: running.length > 0,
    check_job: of('check'),
    compact_job: of('compact'),
    prune_job: of('prune'),
  };
}

export type StartNeeds = MaintenanceNeeds;

export interface MaintenanceOrder {
  kind: Kind | 'passphrase_change';
  /** For messages, such as `Check`. */
  what: string;
  repositoryId: number;
  parameters: Record<string, unknown>;
  /** Whether it writes, which observe mode does not allow. */
  writes: boolean;
  /** Further conditions. */
  validate?(session: StorageSession, repository: RepositoryRow): void | Promise<void>;
  /** Changes in the transaction that queues it. */
  store?(session: StorageSession): Promise<unknown>;
}

/**
 * Queues a manual maintenance job. Throws AppError `not_found`; `invalid` in observe mode; `conflict` when
 * one of its kind is already pending or running.
 */
export async function startManually(
  { storage, jobs: queue }: StartNeeds,
  caller: Caller,
  order: MaintenanceOrder,
) {
  const { kind, repositoryId, parameters, what } = order;
  const found = await findRepository(storage, { repository_id: repositoryId });
  await assertAllowed(storage, found, order);
  const waitsFor = await queue.waitsFor(repositoryId);
  const job = await inTransaction(storage, async (session) => {
    const repository = await findRepository(session, { repository_id: repositoryId });
    await assertAllowed(session, repository, order);
    await order.store?.(session);
    return queue.insert({ kind, repository, parameters, requestedBy: caller.username }, session);
  });
  queue.wake(job.id);
  const message = waitsFor ? `${what} queued; it waits for ${waitsFor}.` : `${what} queued.`;
  return { success: true as const, job_id: job.id, status: 'pending' as const, message };
}

async function assertAllowed(
  session: StorageSession,
  repository: RepositoryRow,
  { kind, what, writes, validate }: MaintenanceOrder,
): Promise<void> {
  const { id, name, mode } = repository;
  if (writes && mode === 'observe') {
    throw invalid(
      say`repository_observed: Repository ${{ repository: name }} is in observe mode, which is read-only. Set its mode to full first.`,
    );
  }
  await validate?.(session, repository);
  const where = { repository_id: id, kind, status: { in: ['pending', 'running'] as const } };
  const [open] = await session.find(jobs, { where, limit: 1 });
  if (!open) return;
  throw conflict(
    say`maintenance_already_queued: ${{ what }} rejected: ${{ kind }} job ${{ job: open.id }} of this repository is already ${{ status: open.status }}. Wait for it to end, or cancel it.`,
  );
}

export const observedOnly = () =>
  say`repository_observed_only: The repository is in observe mode, which is read-only.`;

const isRepair = ({ parameters }: JobRow) => {
  const { repair, sign } = parameters as CheckParameters;
  return repair === true || sign === true;
};

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
  ...sentencesOf(job),
  has_logs: job.log_lines > 0,
});

const ofCheck = (job: JobRow) => {
  const { parameters, outcome } = job;
  const { sign, plannedAt, maxSeconds, verifyData } = parameters as CheckParameters;
  const { damaged, damagedArchives, wouldDelete } = (outcome ?? {}) as Partial<CheckOutcome>;
  const asked = plannedAt === null ? ('manual' as const) : ('scheduled' as const);
  return {
    check_type: isRepair(job) ? ('repair' as const) : asked,
    signs: sign === true,
    max_duration: maxSeconds,
    verify_data: verifyData,
    partial: maxSeconds > 0,
    problems_found: damaged ?? null,
    damaged_archives: damagedArchives ?? [],
    would_delete: wouldDelete ?? [],
  };
};

const ofCompact = ({ outcome }: JobRow) => ({
  freed_bytes: (outcome as CompactOutcome | null)?.freedBytes ?? null,
});

const ofPrune = (job: JobRow) => {
  const plan = planOf(job);
  return {
    dry_run: (job.parameters as PruneParameters).byHand?.dryRun ?? false,
    kept_count: plan?.filter(({ rule }) => rule !== null).length ?? null,
    removed_count: plan?.filter(({ rule }) => rule === null).length ?? null,
  };
};

/** What the list of all jobs shows of these kinds. */
export const checkJobFacts: JobKindFacts = { about: ofCheck, needsAdmin: isRepair };
export const passphraseJobFacts: JobKindFacts = { about: () => ({}), needsAdmin: () => true };
export const compactJobFacts: JobKindFacts = { about: ofCompact, needsAdmin: () => true };
export const pruneJobFacts: JobKindFacts = { about: ofPrune, needsAdmin: () => true };

export const checkJobView = (job: JobRow): CheckJobView => ({
  ...maintenanceJob(job),
  triggered_by: (job.parameters as CheckParameters).plannedAt === null ? 'manual' : 'schedule',
  ...ofCheck(job),
});

export const compactJobView = (job: JobRow): CompactJobView => ({
  ...maintenanceJob(job),
  ...ofCompact(job),
});

export const pruneJobView = (job: JobRow): PruneJobView => ({
  ...maintenanceJob(job),
  ...ofPrune(job),
  schedule_id: (job.parameters as PruneParameters).scheduleId,
});

/** What a prune decided for each archive, newest first; null when it did not get that far. */
export const prunedArchives = (job: JobRow): PrunedArchive[] | null =>
  planOf(job)?.map(({ name, start, rule }) => ({ name, start: isoTime(start), rule: rule ?? 'removed' })) ??
  null;

const planOf = ({ outcome }: JobRow): PruneOutcome['plan'] | undefined =>
  (outcome as Partial<PruneOutcome> | null)?.plan;

const runningJobView = (job: JobRow) => ({
  id: job.id,
  progress: percentOf(job),
  progress_message: job.progress.message,
  started_at: isoTime(job.started_at),
});
