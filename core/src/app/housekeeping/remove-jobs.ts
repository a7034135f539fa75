import type { StorageBackend, Where } from '@holdfast/plugin-api';
import { hookJournals, openStages, removeScriptRuns, scriptRuns } from '../../backup/hooks/index.js';
import { archives, parseArchiveComment } from '../../backup/repositories/index.js';
import { removeManifest, restoreRuns } from '../../backup/restore/index.js';
import { schedules, slots } from '../../backup/schedules/index.js';
import {
  type JobKind,
  type JobRow,
  jobs,
  noteLogRemoved,
  removeEndedJobs,
  removeLog,
  terminalStatuses,
} from '../../engine/jobs/index.js';
import { removeFound } from '../../migration/moving-in/index.js';
import { batchOfRows, dayMs, daysAgo, removeInBatches, type Sweep } from './sweep.js';

/** How many of the newest jobs of each kind are retained at any age: those that a list shows by default. */
export const newestRetained = 200;

const atOnce = 50;
const ended = { status: { in: terminalStatuses } };

/** Removes ended jobs that are too old, then those above the limit. Their counts are retained as figures. */
export async function removeOldJobs(sweep: Sweep): Promise<void> {
  const { storage, retention } = sweep;
  const isRetained = await retainedJobs(storage);
  await removeWhere(sweep, { ...ended, completed_at: { lt: daysAgo(sweep, retention.jobDays) } }, isRetained);
  const [counted] = await storage.aggregate(jobs, { where: ended, measures: { count: { count: true } } });
  if ((counted?.count ?? 0) <= retention.jobs) return;
  const oneTooMany = { where: ended, order: [['completed_at', 'desc']] as const, offset: retention.jobs };
  const [first] = await storage.find(jobs, { ...oneTooMany, limit: 1 });
  if (first?.completed_at != null) {
    await removeWhere(sweep, { ...ended, completed_at: { lte: first.completed_at } }, isRetained);
  }
}

type IsRetained = (job: JobRow) => Promise<boolean>;

async function removeWhere({ storage, going }: Sweep, where: Where<typeof jobs>, isRetained: IsRetained) {
  let retained = 0;
  while (going()) {
    const page = { where, order: [['completed_at', 'asc']] as const, limit: atOnce, offset: retained };
    const rows = await storage.find(jobs, page);
    const gone: number[] = [];
    for (const row of rows) if (!(await isRetained(row))) gone.push(row.id);
    retained += rows.length - gone.length;
    await removeAll(storage, gone);
    if (rows.length < atOnce) return;
  }
}

/** Removes the large parts one by one before the rows, to avoid a long transaction. */
async function removeAll(storage: StorageBackend, ids: number[]): Promise<void> {
  for (const job_id of ids) {
    await removeLog(storage, job_id);
    await removeManifest(storage, job_id);
    await removeFound(storage, job_id);
  }
  if (ids.length > 0) await removeEndedJobs(storage, ids);
}

/** Decides which jobs are retained because something still refers to them. */
async function retainedJobs(storage: StorageBackend): Promise<IsRetained> {
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

/** When the oldest of the newest jobs of a kind was requested. */
async function newestFrom(storage: StorageBackend, kind: JobKind): Promise<number> {
  const order = [['requested_at', 'desc']] as const;
  const [last] = await storage.find(jobs, { where: { kind }, order, limit: 1, offset: newestRetained - 1 });
  return last?.requested_at ?? 0;
}

/** The jobs of existing archives: the quality and origin of an archive are read from its job. */
async function jobsOfArchives(storage: StorageBackend, repositoryId: number): Promise<Set<number | string>> {
  const rows = await storage.find(archives, { where: { repository_id: repositoryId } });
  // Where nothing is recorded yet, the comment may name the job.
  return new Set(rows.flatMap(({ job_id, comment }) => job_id ?? parseArchiveComment(comment)?.job ?? []));
}

async function unfinishedOf(storage: StorageBackend) {
  const [running, owed, restores] = await Promise.all([
    storage.find(slots, { where: { outcome: { in: ['running', 'waiting'] } } }),
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

const logsAtOnce = 20;

/**
 * Removes the logs of jobs that ended long ago, but not the jobs. Returns the end time that it has reached.
 */
export async function removeOldLogs(sweep: Sweep): Promise<number> {
  const { storage, going, retention } = sweep;
  const until = daysAgo(sweep, retention.jobLogDays);
  // A place that was stored by a clock that was ahead must not retain everything before it.
  const from = sweep.place === null || sweep.place > until ? 0 : sweep.place - dayMs;
  const where = {
    status: { in: terminalStatuses },
    completed_at: { gte: from, lt: until },
    log_lines: { gt: 0 },
  };
  let place = from;
  while (going()) {
    const rows = await storage.find(jobs, {
      where,
      order: [['completed_at', 'asc']],
      limit: logsAtOnce,
    });
    for (const { id } of rows) {
      await removeLog(storage, id);
      await noteLogRemoved(storage, id);
    }
    if (rows.length < logsAtOnce) return until;
    place = rows.at(-1)?.completed_at ?? place;
  }
  return place;
}

/**
 * Removes runs that are too old or too many from the ledgers. Retains running ones and the last one of each
 * schedule.
 */
export async function removeOldRuns(sweep: Sweep): Promise<void> {
  const { storage, retention, going } = sweep;
  const old = daysAgo(sweep, retention.runDays);
  for (const { id: schedule_id } of await storage.find(schedules)) {
    if (!going()) return;
    const order = [['planned_at', 'desc']] as const;
    const at = async (offset: number) =>
      (await storage.find(slots, { where: { schedule_id }, order, limit: 1, offset }))[0]?.planned_at;
    const newest = await at(0);
    if (newest === undefined) continue;
    const tooMany = (await at(retention.runsOfSchedule)) ?? Number.NEGATIVE_INFINITY;
    const before = Math.min(newest, Math.max(old, tooMany + 1));
    await removeInBatches(sweep, slots, {
      schedule_id,
      planned_at: { lt: before },
      outcome: { not: 'running' },
    });
  }
}

/** Removes old script runs whose journal is gone, which means that its hooks are done. */
export async function removeOldScriptRuns(sweep: Sweep): Promise<void> {
  const { storage, retention, going } = sweep;
  const started_at = { lt: daysAgo(sweep, retention.jobLogDays) };
  for (let after = 0; going(); ) {
    const where = { started_at, id: { gt: after } };
    const rows = await storage.find(scriptRuns, { where, order: [['id', 'asc']], limit: batchOfRows });
    const ids = [...new Set(rows.map(({ journal_id }) => journal_id))];
    const open = await storage.find(hookJournals, { where: { id: { in: ids } } });
    const needed = new Set(open.map(({ id }) => id));
    const gone = rows.filter(({ journal_id }) => !needed.has(journal_id)).map(({ id }) => id);
    if (gone.length > 0) await removeScriptRuns(storage, gone);
    if (rows.length < batchOfRows) return;
    after = rows.at(-1)?.id ?? after;
  }
}
