import { isStoreError, type StorageSession, StoreError } from '@holdfast/plugin-api';
import { isTerminal, type TerminalStatus, terminalStatuses } from './job.rules.js';
import {
  type EndedJobFacts,
  type JobFigures,
  noFigures,
  withCountsOf,
  withEnded,
  withoutCountsOf,
} from './job-figures.rules.js';
import { type JobFiguresRow, type JobRow, jobFigures, jobs, lanes } from './tables.js';

/** Key for jobs whose repository is no longer registered. */
export const noRepository = 0;

/** Counts a job. Call it in the transaction that ends the job. */
export async function noteEnded(session: StorageSession, job: JobRow): Promise<void> {
  const facts = factsOf(job);
  if (!facts) return;
  if (job.repository_id !== null) {
    await change(session, job.repository_id, (figures) => withEnded(figures, facts));
    return;
  }
  const one = withEnded(noFigures, facts);
  await change(session, noRepository, (figures) => withCountsOf(figures, one));
}

/** Moves the figures of a repository to `noRepository`. Call it in the transaction that removes the registration. */
async function orphanFigures(session: StorageSession, repositoryId: number): Promise<void> {
  const [row] = await session.find(jobFigures, { where: { repository_id: repositoryId }, limit: 1 });
  if (!row) return;
  await session.remove(jobFigures, { id: row.id });
  await change(session, noRepository, (figures) => withCountsOf(figures, row.figures));
  const { removed } = row;
  if (removed) await changeRemoved(session, noRepository, (sum) => withCountsOf(sum, removed));
}

/** Keeps counting removed jobs. Call it in the transaction that removes their rows. */
export async function noteRemoved(session: StorageSession, gone: readonly JobRow[]): Promise<void> {
  for (const key of new Set(gone.map(keyOf))) {
    const facts = gone.flatMap((row) => (keyOf(row) === key ? (factsOf(row) ?? []) : []));
    await changeRemoved(session, key, (removed) => facts.reduce(withEnded, removed));
  }
}

const keyOf = ({ repository_id }: JobRow) => repository_id ?? noRepository;

async function changeRemoved(
  session: StorageSession,
  repositoryId: number,
  with_: (removed: JobFigures) => JobFigures,
): Promise<void> {
  const [row] = await session.find(jobFigures, { where: { repository_id: repositoryId }, limit: 1 });
  if (row) await session.update(jobFigures, { id: row.id }, { removed: with_(row.removed ?? noFigures) });
}

const batch = 1_000;

/**
 * Rebuilds the figures from the job rows and the figures of removed jobs. Call it in a transaction. Returns how many
 * jobs were counted.
 */
export async function rebuildFigures(session: StorageSession): Promise<number> {
  const before = await session.find(jobFigures);
  const removed = new Map(before.map((row) => [row.repository_id, row.removed]));
  const made = new Map<number, JobFigures>();
  for (const [key, figures] of removed) if (figures) made.set(key, figures);
  let counted = 0;
  for (let after = 0; ; ) {
    const rows = await session.find(jobs, {
      where: { id: { gt: after }, status: { in: terminalStatuses } },
      order: [['id', 'asc']],
      limit: batch,
    });
    for (const row of rows) {
      const facts = factsOf(row);
      const key = row.repository_id ?? noRepository;
      if (facts) made.set(key, withEnded(made.get(key) ?? noFigures, facts));
    }
    counted += rows.length;
    after = rows.at(-1)?.id ?? after;
    if (rows.length < batch) break;
  }
  await session.remove(jobFigures, {});
  for (const [repository_id, figures] of made) {
    const last = repository_id === noRepository ? {} : figures.last;
    const row = { repository_id, figures: { ...figures, last }, removed: removed.get(repository_id) ?? null };
    await session.insert(jobFigures, row);
  }
  return counted;
}

function factsOf(job: JobRow): EndedJobFacts | null {
  const { id: jobId, kind, status, progress, outcome } = job;
  const { requested_at: requestedAt, started_at: startedAt, completed_at: endedAt } = job;
  if (!isTerminal(status) || endedAt === null) return null;
  const { originalSize, deduplicatedSize } = progress;
  return {
    jobId,
    kind,
    status: status satisfies TerminalStatus,
    requestedAt,
    startedAt,
    endedAt,
    originalSize,
    deduplicatedSize,
    damaged: outcome?.damaged === true,
    confined: outcome?.confined === true,
    unread: Array.isArray(outcome?.unread) ? outcome.unread.length : 0,
  };
}

async function change(
  session: StorageSession,
  repositoryId: number,
  with_: (figures: JobFigures) => JobFigures,
): Promise<void> {
  const [row] = await session.find(jobFigures, { where: { repository_id: repositoryId }, limit: 1 });
  if (row) {
    await session.update(jobFigures, { id: row.id }, { figures: with_(row.figures) });
    return;
  }
  try {
    await session.insert(jobFigures, { repository_id: repositoryId, figures: with_(noFigures) });
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw new StoreError('conflict', 'Another process created the figures.', { cause: error });
  }
}

/** Removes a repository from its jobs, which stay. Call it in the transaction that removes the registration. */
export async function forgetInJobs(session: StorageSession, repositoryId: number): Promise<void> {
  await session.remove(lanes, { repository_id: repositoryId });
  const gone = { repository_id: null, former_repository_id: repositoryId };
  await session.update(jobs, { repository_id: repositoryId }, gone);
  await orphanFigures(session, repositoryId);
}

/** Undoes `forgetInJobs` for a registration that is taken up again; `kept`: its row of figures, if it had one. */
export async function recallInJobs(
  session: StorageSession,
  repositoryId: number,
  kept: Record<string, unknown> | null,
): Promise<void> {
  const back = { repository_id: repositoryId, former_repository_id: null };
  await session.update(jobs, { former_repository_id: repositoryId }, back);
  if (!kept) return;
  const { figures, removed } = kept as unknown as Pick<JobFiguresRow, 'figures' | 'removed'>;
  await session.insert(jobFigures, { repository_id: repositoryId, figures, removed });
  await change(session, noRepository, (sum) => withoutCountsOf(sum, figures));
  if (removed) await changeRemoved(session, noRepository, (sum) => withoutCountsOf(sum, removed));
}
