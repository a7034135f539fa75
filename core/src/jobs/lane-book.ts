import { admits, type LaneHolder, type LaneMode, withoutExpiredReaders } from './lane.rules.js';
import { isStoreError, StoreError } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { jobs, type LaneRow, lanes } from '../schema/tables.js';

const jobPrefix = 'job:';
export const jobHolderId = (jobId: number): string => `${jobPrefix}${jobId}`;

/** The repository's lane, made when it is first asked for. */
export async function openLane(session: StorageSession, repositoryId: number): Promise<LaneRow> {
  const [lane] = await session.find(lanes, { where: { repository_id: repositoryId }, limit: 1 });
  if (lane) return lane;
  try {
    return await session.insert(lanes, { repository_id: repositoryId, holders: [] });
  } catch (error) {
    if (!isStoreError(error, 'unique')) throw error;
    throw new StoreError('conflict', 'The lane was made by another one.', { cause: error });
  }
}

/** Those who hold the lane now: no reader whose time is over, no job that does not run any more. */
export async function holdersNow(session: StorageSession, lane: LaneRow, now: number): Promise<LaneHolder[]> {
  const holders = withoutExpiredReaders(lane.holders, now);
  const ids = holders.filter(({ id }) => id.startsWith(jobPrefix)).map(({ id }) => Number(id.slice(4)));
  if (ids.length === 0) return holders;
  const alive = await session.find(jobs, { where: { id: { in: ids }, status: 'running' } });
  const living = new Set(alive.map(({ id }) => jobHolderId(id)));
  return holders.filter(({ id }) => !id.startsWith(jobPrefix) || living.has(id));
}

/** The holder that keeps a newcomer out, or undefined. */
export function obstacleAmong(holders: readonly LaneHolder[], mode: LaneMode): LaneHolder | undefined {
  if (admits(holders, mode)) return undefined;
  return holders.find((holder) => holder.mode === 'exclusive') ?? holders[0];
}

/** Compare-and-set; StoreError `conflict` when someone was faster. */
export async function writeHolders(
  session: StorageSession,
  lane: LaneRow,
  holders: LaneHolder[],
): Promise<void> {
  const where = { id: lane.id, version: lane.version };
  const written = await session.update(lanes, where, { holders, version: lane.version + 1 });
  if (written === 0) throw new StoreError('conflict', 'The lane was changed by another one.');
}

/** Gives a place back; one that isn't held is fine. */
export async function leaveLane(
  session: StorageSession,
  repositoryId: number,
  holderId: string,
): Promise<void> {
  const [lane] = await session.find(lanes, { where: { repository_id: repositoryId }, limit: 1 });
  const rest = lane?.holders.filter(({ id }) => id !== holderId) ?? [];
  if (lane && rest.length < lane.holders.length) await writeHolders(session, lane, rest);
}
