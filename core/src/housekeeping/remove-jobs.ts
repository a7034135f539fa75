import { parseArchiveComment } from '../repositories/archive-comment.rules.js';
import { openStages } from '../hooks/hook.rules.js';
import { type JobKind, terminalStatuses } from '../jobs/job.rules.js';
import type { StorageBackend, Where } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { noteRemoved } from '../jobs/job-figures.js';
import {
  archives,
  hookJournals,
  type JobRow,
  jobLogs,
  jobs,
  restoreManifests,
  restoreRuns,
  slots,
} from '../schema/tables.js';
import { daysAgo, type Sweep } from './sweep.js';

/** However old: what a list of jobs shows without being asked for more. */
export const newestKept = 200;

const atOnce = 50;
const ended = { status: { in: terminalStatuses } };

/** Removes ended jobs that are too old, then those that are too many. What they counted for is kept as figures. */
export async function removeOldJobs(sweep: Sweep): Promise<void> {
  const { storage, retention } = sweep;
  const stays = await whatStays(storage);
  await removeWhere(sweep, { ...ended, completed_at: { lt: daysAgo(sweep, retention.jobDays) } }, stays);
  const [counted] = await storage.aggregate(jobs, { where: ended, measures: { count: { count: true } } });
  if ((counted?.count ?? 0) <= retention.jobs) return;
  const oneTooMany = { where: ended, order: [['completed_at', 'desc']] as const, offset: retention.jobs };
  const [first] = await storage.find(jobs, { ...oneTooMany, limit: 1 });
  if (first?.completed_at != null) {
    await removeWhere(sweep, { ...ended, completed_at: { lte: first.completed_at } }, stays);
  }
}

type Stays = (job: JobRow) => Promise<boolean>;

async function removeWhere({ storage, going }: Sweep, where: Where<typeof jobs>, stays: Stays) {
  let kept = 0;
  while (going()) {
    const page = { where, order: [['completed_at', 'asc']] as const, limit: atOnce, offset: kept };
    const rows = await storage.find(jobs, page);
    const gone: number[] = [];
    for (const row of rows) if (!(await stays(row))) gone.push(row.id);
    kept += rows.length - gone.length;
    await removeAll(storage, gone);
    if (rows.length < atOnce) return;
  }
}

/** The large parts one by one before the rows: they would make a long transaction. */
async function removeAll(storage: StorageBackend, ids: number[]): Promise<void> {
  for (const job_id of ids) {
    await storage.remove(jobLogs, { job_id });
    await storage.remove(restoreManifests, { job_id });
  }
  if (ids.length === 0) return;
  await inTransaction(storage, async (session) => {
    const rows = await session.find(jobs, { where: { ...ended, id: { in: ids } } });
    await noteRemoved(session, rows);
    await session.remove(jobs, { id: { in: rows.map(({ id }) => id) } });
  });
}

/** Jobs that something goes by still. */
async function whatStays(storage: StorageBackend): Promise<Stays> {
  const newestOf = new Map<JobKind, Promise<number>>();
  const archivesOf = new Map<number, Promise<Set<number | string>>>();
  const needed = await unfinishedOf(storage);
  const remember = <K, V>(known: Map<K, V>, key: K, read: () => V): V => {
    const value = known.get(key) ?? read();
    known.set(key, value);
    return value;
  };
  return async ({ id, kind, repository_id, slot_id, requested_at }) => {
    if (needed.jobs.has(id) || (slot_id !== null && needed.slots.has(slot_id))) return true;
    if (requested_at >= (await remember(newestOf, kind, () => newestFrom(storage, kind)))) return true;
    if (kind !== 'backup' || repository_id === null) return false;
    return (await remember(archivesOf, repository_id, () => jobsOfArchives(storage, repository_id))).has(id);
  };
}

/** When the oldest of the newest of a kind was asked for. */
async function newestFrom(storage: StorageBackend, kind: JobKind): Promise<number> {
  const order = [['requested_at', 'desc']] as const;
  const [last] = await storage.find(jobs, { where: { kind }, order, limit: 1, offset: newestKept - 1 });
  return last?.requested_at ?? 0;
}

/** Whether an archive is good, and where it came from, is read from the job that made it. */
async function jobsOfArchives(storage: StorageBackend, repositoryId: number): Promise<Set<number | string>> {
  const rows = await storage.find(archives, { where: { repository_id: repositoryId } });
  // Where nothing is recorded yet, the comment may name the job.
  return new Set(rows.flatMap(({ job_id, comment }) => job_id ?? parseArchiveComment(comment)?.job ?? []));
}

async function unfinishedOf(storage: StorageBackend) {
  const [running, owed, restores] = await Promise.all([
    storage.find(slots, { where: { outcome: 'running' } }),
    storage.find(hookJournals, { where: { stage: { in: openStages } } }),
    storage.find(restoreRuns),
  ]);
  return {
    slots: new Set([...running.map(({ id }) => id), ...owed.flatMap(({ slot_id }) => slot_id ?? [])]),
    jobs: new Set([
      ...owed.flatMap(({ job_id, job_ids }) => [...(job_id === null ? [] : [job_id]), ...job_ids]),
      ...restores.map(({ job_id }) => job_id),
    ]),
  };
}
