import type { StorageSession } from '@holdfast/plugin-api';
import { isDryRun } from '../../backup/maintenance/index.js';
import {
  type BackupOutcome,
  noteRepository,
  type RepositoryRow,
  repositories,
  spaceAt,
} from '../../backup/repositories/index.js';
import { isRemoteLocation, sshConnections } from '../../backup/ssh/index.js';
import type { EndedJob, JobContext, JobHandler, JobResult } from '../../engine/jobs/index.js';
import { succeeded } from '../../engine/jobs/index.js';
import { withinTime } from '../../foundation/kernel/index.js';
import type { HistoryNeeds } from './needs.js';
import { type SampledKind, samples } from './tables.js';

/** How long a file system may take to say how much is free. Milliseconds. */
const waitMs = 2_000;
/** The free space of another host is not asked for here; an older answer says nothing about now. Milliseconds. */
const currentForMs = 86_400_000;

/** The handler, with a sample in the transaction that ends each job that did its work. */
export function withSamples(needs: Pick<HistoryNeeds, 'files'>, handler: JobHandler): JobHandler {
  const looking = (work: JobHandler['run']) => async (context: JobContext) =>
    withSpace(needs, context.repository, await work(context));
  return {
    ...handler,
    run: looking(handler.run),
    recover: looking(handler.recover),
    settle(job, end, repository) {
      const settlement = handler.settle(job, end, repository);
      return {
        ...settlement,
        async commit(session, record) {
          await settlement.commit?.(session, record);
          await recordSample(session, { job, end, repository });
        },
      };
    },
  };
}

/** Before the transaction: a file system that hangs must not block the storage. */
async function withSpace(
  { files }: Pick<HistoryNeeds, 'files'>,
  { path }: RepositoryRow,
  result: JobResult,
): Promise<JobResult> {
  if (!succeeded(result.status) || !result.outcome || isRemoteLocation(path)) return result;
  const look = () => files.space(path);
  const space = await withinTime(waitMs, look, () => new Error('late')).catch(() => null);
  return { ...result, outcome: { ...result.outcome, space } };
}

type Outcome = Partial<BackupOutcome> & { space?: { free: number; total: number } | null };

async function recordSample(session: StorageSession, { job, end, repository }: EndedJob): Promise<void> {
  const { id: job_id, started_at, completed_at: at } = job;
  if (!repository || started_at === null || at === null) return;
  if (!succeeded(end.status) || isDryRun(job)) return;
  const { id: repository_id } = repository;
  const { space, stats } = (end.outcome ?? {}) as Outcome;
  if (space) {
    await noteRepository(session, repository_id, {
      place_free: space.free,
      place_total: space.total,
      place_at: at,
    });
  }
  // After the part of the handler: with the size and the archives that the job left.
  const [row] = await session.find(repositories, { where: { id: repository_id }, limit: 1 });
  if (!row) return;
  const seen = spaceAt(row, await connectionOf(session, row));
  await session.insert(samples, {
    repository_id,
    job_id,
    at,
    kind: job.kind as SampledKind,
    took: Math.max(0, at - started_at),
    size: row.stored_size,
    free: seen && at - seen.at <= currentForMs ? seen.free : null,
    archive_count: row.archive_count,
    original_size: stats?.originalSize ?? null,
    added_size: stats?.deduplicatedSize ?? null,
  });
}

async function connectionOf(session: StorageSession, { connection_id }: RepositoryRow) {
  if (connection_id === null) return undefined;
  return (await session.find(sshConnections, { where: { id: connection_id }, limit: 1 }))[0];
}
