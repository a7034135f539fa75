import { type StorageSession, StoreError } from '@holdfast/plugin-api';
import {
  codeOf,
  inTransaction,
  type Message,
  say,
  takeLease,
  waitingColumns,
} from '../../foundation/kernel/index.js';
import { type RepositoryRow, repositories } from '../registry/tables.js';
import type { EngineCore } from './engine-core.js';
import type { LaneMode } from './job.rules.js';
import { admits, waitsForHolder, waitsForJob } from './job.rules.js';
import { jobEvent } from './job-events.js';
import { blockingHolder, holdersNow, jobHolderId, leaveLane, openLane, writeHolders } from './lanes.js';
import { waitsForSameSources } from './same-sources.js';
import { type JobRow, jobs } from './tables.js';

/** A job that belongs to this instance until its lease ends or its fence is raised. */
export interface TakenJob {
  job: JobRow;
  repository: RepositoryRow | null;
  /** Monotonic milliseconds (`performance.now()`) from which the lease counts. */
  takenAt: number;
}

export type Taking =
  | { result: 'taken'; taken: TakenJob }
  | { result: 'waits'; what: Message }
  /** It is no longer pending. */
  | { result: 'over' }
  | { result: 'no-repository'; job: JobRow };

/** How many earlier jobs are examined one by one; behind more of them a job waits anyway. */
const queueWindow = 50;

/** Takes a pending job and a place in its lane in one transaction, or returns what it waits for. */
export const takePendingJob = (core: EngineCore, jobId: number): Promise<Taking> =>
  inTransaction(core.storage, (session) => takeWithin(core, session, jobId));

/** Like `takePendingJob`, as part of a larger transaction. */
export async function takeWithin(core: EngineCore, session: StorageSession, jobId: number): Promise<Taking> {
  const takenAt = performance.now();
  const [job] = await session.find(jobs, { where: { id: jobId, status: 'pending' }, limit: 1 });
  if (!job) return { result: 'over' };
  const room = await core.lacksRoom?.();
  if (room) return { result: 'waits', what: room };
  const handler = core.handlers.get(job.kind);
  const mode = handler?.lane;
  if (mode === 'none') return takeAlone(core, session, { job, takenAt });
  const repository = await repositoryOf(session, job);
  if (!repository) return { result: 'no-repository', job };
  if (!mode) {
    const { kind } = job;
    const what = say`waiting_for_instance: an instance of Holdfast that supports ${{ kind }} jobs`;
    return { result: 'waits', what };
  }

  const earlier = await earlierBlockingJob(core, session, { job, mode });
  if (earlier) return { result: 'waits', what: earlier };
  const other = await handler?.waitsFor?.(session, job);
  if (other) return { result: 'waits', what: other };
  const lane = await openLane(session, repository.id);
  const now = core.clock.now();
  const holders = await holdersNow(session, lane, now);
  const blocking = blockingHolder(holders, mode);
  if (blocking) return { result: 'waits', what: waitsForHolder(blocking) };
  const same = await waitsForSameSources(session, {
    job,
    repository,
    isReady: (next) => isReadyToRun(core, session, next),
  });
  if (same) return { result: 'waits', what: same };

  const about = waitsForJob(job);
  const until = now + core.timings.lease;
  const holder = { id: jobHolderId(job.id), mode, what: about.text, said: codeOf(about), until };
  await writeHolders(session, lane, [...holders, holder]);
  const taken = await markRunning(core, session, { job, now });
  return { result: 'taken', taken: { job: taken, repository, takenAt } };
}

async function takeAlone(
  core: EngineCore,
  session: StorageSession,
  { job, takenAt }: Pick<TakenJob, 'job' | 'takenAt'>,
): Promise<Taking> {
  const taken = await markRunning(core, session, { job, now: core.clock.now() });
  return { result: 'taken', taken: { job: taken, repository: null, takenAt } };
}

async function markRunning(
  core: EngineCore,
  session: StorageSession,
  { job, now }: { job: JobRow; now: number },
): Promise<JobRow> {
  const lease = { owner: core.instanceId, lease_until: now + core.timings.lease };
  const patch = { ...lease, status: 'running' as const, started_at: now, ...waitingColumns(null) };
  const taken = await takeLease(session, jobs, job, { where: { status: 'pending' }, patch });
  if (!taken) throw new StoreError('conflict', 'Another instance took the job.');
  await core.events.record(session, jobEvent('job_started', taken));
  return taken;
}

/** Whether the next job of a repository waits neither for its lane nor for what its handler names. */
export async function isReadyToRun(core: EngineCore, session: StorageSession, job: JobRow): Promise<boolean> {
  const handler = core.handlers.get(job.kind);
  if (!handler || handler.lane === 'none' || job.repository_id === null) return false;
  if (await handler.waitsFor?.(session, job)) return false;
  const lane = await openLane(session, job.repository_id);
  return admits(await holdersNow(session, lane, core.clock.now()), handler.lane);
}

/** Takes over a running job whose lease has ended, if it is unchanged; null when another instance has it. */
export function takeOverJob(core: EngineCore, job: JobRow): Promise<TakenJob | null> {
  return inTransaction(core.storage, async (session) => {
    const takenAt = performance.now();
    const where = { status: 'running' as const, lease_until: job.lease_until };
    const patch = { owner: core.instanceId, lease_until: core.clock.now() + core.timings.lease };
    if (!(await takeLease(session, jobs, job, { where, patch }))) return null;
    const [taken] = await session.find(jobs, { where: { id: job.id }, limit: 1 });
    return taken ? { job: taken, repository: await repositoryOf(session, taken), takenAt } : null;
  });
}

async function repositoryOf(session: StorageSession, job: JobRow): Promise<RepositoryRow | null> {
  if (job.repository_id === null) return null;
  const [repository] = await session.find(repositories, { where: { id: job.repository_id }, limit: 1 });
  return repository ?? null;
}

/** No overtaking: an exclusive job waits for all earlier ones, a sharing one for earlier exclusive ones. */
async function earlierBlockingJob(
  core: EngineCore,
  session: StorageSession,
  { job, mode }: { job: JobRow; mode: LaneMode },
): Promise<Message | null> {
  const earlier = await session.find(jobs, {
    where: { repository_id: job.repository_id, status: 'pending', id: { lt: job.id } },
    order: [['id', 'desc']],
    limit: queueWindow,
  });
  const shares = (other: JobRow) => core.handlers.get(other.kind)?.lane === 'shared';
  const blocking =
    mode === 'exclusive' || earlier.length === queueWindow
      ? earlier[0]
      : earlier.find((other) => !shares(other));
  return blocking ? waitsForJob(blocking) : null;
}

/** Makes a job that was taken but not started pending again. */
export async function returnJob(
  { storage, events }: EngineCore,
  { job }: Pick<TakenJob, 'job'>,
): Promise<void> {
  await inTransaction(storage, async (session) => {
    const where = { id: job.id, fence: job.fence, status: 'running' as const };
    const patch = { status: 'pending' as const, started_at: null, owner: null, lease_until: null };
    if ((await session.update(jobs, where, patch)) === 0) return;
    await events.record(session, jobEvent('job_queued', { ...job, ...patch }));
    if (job.repository_id !== null) await leaveLane(session, job.repository_id, jobHolderId(job.id));
  });
  events.nudge();
}
