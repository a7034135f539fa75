import type { StorageSession } from '@holdfast/plugin-api';
import { type Message, say } from '../../foundation/kernel/index.js';
import { type RepositoryRow, repositories, sourceSets } from '../registry/tables.js';
import { type JobRow, jobs } from './tables.js';

const reads = 'backup';

/** The other repositories with the same source set; none without a set, or if the set allows parallel backups. */
export async function sharersOf(
  session: StorageSession,
  { id, source_set_id }: Pick<RepositoryRow, 'id' | 'source_set_id'>,
): Promise<number[]> {
  if (source_set_id === null) return [];
  const [set] = await session.find(sourceSets, { where: { id: source_set_id }, limit: 1 });
  if (!set || set.allow_parallel) return [];
  const rows = await session.find(repositories, { where: { source_set_id } });
  return rows.filter((row) => row.id !== id).map((row) => row.id);
}

export interface Newcomer {
  /** Null: a backup that is not in the queue yet. */
  job: Pick<JobRow, 'id' | 'kind'> | null;
  repository: Pick<RepositoryRow, 'id' | 'source_set_id'>;
  /** True when another pending job, the next one of its repository, waits for nothing but these sources. */
  isReady(other: JobRow): Promise<boolean>;
}

/**
 * The backup of another repository with the same sources that a backup has to wait for, for users; null when none.
 * Only a running one, or an earlier one that is ready, so that none is overtaken for ever and none waits in a circle.
 * Call it in the transaction that takes the job: transactions are serialisable, so no two are taken at once.
 */
export async function waitsForSameSources(
  session: StorageSession,
  { job, repository, isReady }: Newcomer,
): Promise<Message | null> {
  if (job && job.kind !== reads) return null;
  const others = await sharersOf(session, repository);
  if (others.length === 0) return null;
  const ofOthers = { repository_id: { in: others } };
  const [running] = await session.find(jobs, {
    where: { ...ofOthers, kind: reads, status: 'running' },
    limit: 1,
  });
  if (running) return describe(running);
  for (const next of await nextJobs(session, others)) {
    if (next.kind === reads && (job === null || next.id < job.id) && (await isReady(next)))
      return describe(next);
  }
  return null;
}

const describe = ({ kind, id, repository_name: repository }: JobRow) =>
  say`waiting_for_same_sources: ${{ kind }} job ${{ job: id }} of repository ${{ repository }}, which reads the same sources`;

/** The longest waiting job of each repository, oldest first. */
async function nextJobs(session: StorageSession, repositoryIds: readonly number[]): Promise<JobRow[]> {
  const heads = await session.aggregate(jobs, {
    where: { repository_id: { in: repositoryIds }, status: 'pending' },
    groupBy: ['repository_id'],
    measures: { first: { min: 'id' } },
  });
  const ids = heads.flatMap(({ first }) => first ?? []);
  return session.find(jobs, { where: { id: { in: ids } } });
}
