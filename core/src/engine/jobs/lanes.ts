import { isStoreError, type StorageBackend, type StorageSession, StoreError } from '@holdfast/plugin-api';
import { admits, type LaneHolder, type LaneMode, withoutExpiredReaders } from './job.rules.js';
import { jobs, type LaneRow, lanes } from './tables.js';

const jobPrefix = 'job:';
export const jobHolderId = (jobId: number): string => `${jobPrefix}${jobId}`;

/** The lane of a repository, created on first use. */
export async function openLane(session: StorageSession, repositoryId: number): Promise<LaneRow> {
  const [lane] = await session.find(lanes, { where: { repository_id: repositoryId }, limit: 1 });
  if (lane) return lane;
  try {
    return await session.insert(lanes, { repository_id: repositoryId, holders: [] });
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw new StoreError('conflict', 'Another process created the lane.', { cause: error });
  }
}

/** The current holders of the lane, without expired readers and jobs that no longer run. */
export async function holdersNow(session: StorageSession, lane: LaneRow, now: number): Promise<LaneHolder[]> {
  const holders = withoutExpiredReaders(lane.holders, now);
  const ids = holders.filter(({ id }) => id.startsWith(jobPrefix)).map(({ id }) => Number(id.slice(4)));
  if (ids.length === 0) return holders;
  const alive = await session.find(jobs, { where: { id: { in: ids }, status: 'running' } });
  const living = new Set(alive.map(({ id }) => jobHolderId(id)));
  return holders.filter(({ id }) => !id.startsWith(jobPrefix) || living.has(id));
}

/** The holder that a newcomer has to wait for, or undefined. */
export function blockingHolder(holders: readonly LaneHolder[], mode: LaneMode): LaneHolder | undefined {
  if (admits(holders, mode)) return undefined;
  return holders.find((holder) => holder.mode === 'exclusive') ?? holders[0];
}

/** Compare-and-set. Throws StoreError `conflict` when another process was faster. */
export async function writeHolders(
  session: StorageSession,
  lane: LaneRow,
  holders: LaneHolder[],
): Promise<void> {
  const where = { id: lane.id, version: lane.version };
  const written = await session.update(lanes, where, { holders, version: lane.version + 1 });
  if (written === 0) throw new StoreError('conflict', 'Another process changed the lane.');
}

/** Frees a place. Does nothing when it is not held. */
export async function leaveLane(
  session: StorageSession,
  repositoryId: number,
  holderId: string,
): Promise<void> {
  const [lane] = await session.find(lanes, { where: { repository_id: repositoryId }, limit: 1 });
  const rest = lane?.holders.filter(({ id }) => id !== holderId) ?? [];
  if (lane && rest.length < lane.holders.length) await writeHolders(session, lane, rest);
}

/** Wakes waiters for a lane in this process. They find places freed by other instances by polling. */
export class LaneWaiters {
  readonly #waiting = new Map<number, Set<() => void>>();

  wake(repositoryId: number): void {
    for (const wake of this.#waiting.get(repositoryId) ?? []) wake();
  }

  /** Resolves at the next `wake`, or after `ms`. */
  wait(repositoryId: number, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(repositoryId) ?? new Set();
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        if (waiting.size === 0) this.#waiting.delete(repositoryId);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      waiting.add(wake);
      this.#waiting.set(repositoryId, waiting);
    });
  }
}

/** The longest waiting job of a repository, or a job whose repository is gone. */
export interface WaitingHead {
  repository_id: number | null;
  first: number;
}

/** The heads of all repositories, the longest waiting first. */
export async function allHeads(storage: StorageBackend): Promise<WaitingHead[]> {
  const groups = await storage.aggregate(jobs, {
    where: { status: 'pending' },
    groupBy: ['repository_id'],
    measures: { first: { min: 'id' } },
  });
  return groups
    .flatMap(({ repository_id, first }) => (first === null ? [] : [{ repository_id, first }]))
    .sort((a, b) => a.first - b.first);
}

/** The heads among the `window` longest waiting jobs; `complete` when there are no others. */
export async function oldestHeads(
  storage: StorageBackend,
  window: number,
): Promise<{ heads: WaitingHead[]; complete: boolean }> {
  const rows = await storage.find(jobs, {
    where: { status: 'pending' },
    order: [['id', 'asc']],
    limit: window,
  });
  const seen = new Set<number>();
  const heads: WaitingHead[] = [];
  for (const { repository_id, id } of rows) {
    if (repository_id !== null && seen.has(repository_id)) continue;
    if (repository_id !== null) seen.add(repository_id);
    heads.push({ repository_id, first: id });
  }
  return { heads, complete: rows.length < window };
}

/** The heads of these repositories, the longest waiting first. */
export async function headsOf(
  storage: StorageBackend,
  repositoryIds: readonly number[],
): Promise<WaitingHead[]> {
  const wanted = new Set<number | null>(repositoryIds);
  return (await allHeads(storage)).filter((head) => wanted.has(head.repository_id));
}
