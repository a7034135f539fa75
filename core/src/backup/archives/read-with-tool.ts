import type { OperationOptions, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { jobs } from '../../engine/jobs/index.js';
import { isAppError } from '../../foundation/kernel/index.js';
import { openTarget } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import type { ArchivesNeeds } from './needs.js';
import { toolFailure } from './tool-failure.js';

type Needs = Pick<ArchivesNeeds, 'storage' | 'lanes' | 'secrets' | 'redactor' | 'clock'>;

export interface Reading<T> {
  /** Description for those who wait for the lane. */
  what: string;
  work(target: RepositoryTarget, options: OperationOptions): Promise<T>;
  signal?: AbortSignal | undefined;
}

const maxWaitMs = 20_000;
/** How often a waiting request checks whether a backup of this service is the holder. */
const checkEveryMs = 1_000;
const lockWaitSeconds = 5;

/**
 * Runs a read with the tool for a request. Waits at most 20 s for the lane of the repository, then throws AppError
 * `conflict`. During a backup of this service, and with `bypass_lock`, it reads without lane and lock. That is safe
 * because only archives in the inventory are read, never one that is being made.
 */
export async function readWithTool<T>(
  needs: Needs,
  repository: RepositoryRow,
  reading: Reading<T>,
): Promise<T> {
  const { target, release } = openTarget(needs, repository);
  const work = (bypassLock: boolean) =>
    reading.work(target, {
      lockWaitSeconds,
      bypassLock,
      ...(reading.signal && { signal: reading.signal }),
    });
  try {
    return repository.bypass_lock ? await work(true) : await inLane(needs, repository, { ...reading, work });
  } catch (error) {
    throw toolFailure(error);
  } finally {
    release();
  }
}

interface Waiting<T> {
  what: string;
  signal?: AbortSignal | undefined;
  work(bypassLock: boolean): Promise<T>;
}

async function inLane<T>(
  needs: Needs,
  { id }: RepositoryRow,
  { what, signal, work }: Waiting<T>,
): Promise<T> {
  const deadline = needs.clock.now() + maxWaitMs;
  for (;;) {
    signal?.throwIfAborted();
    if (await backupRuns(needs, id)) return work(true);
    const left = Math.max(0, deadline - needs.clock.now());
    let entered = false;
    const enter = () => {
      entered = true;
      signal?.throwIfAborted();
      return work(false);
    };
    try {
      return await needs.lanes.withLane(id, what, enter, Math.min(checkEveryMs, left));
    } catch (error) {
      if (entered || left === 0 || !isAppError(error) || error.code !== 'conflict') throw error;
    }
  }
}

async function backupRuns({ storage }: Needs, repositoryId: number): Promise<boolean> {
  const where = { repository_id: repositoryId, kind: 'backup' as const, status: 'running' as const };
  return (await storage.find(jobs, { where, limit: 1 })).length > 0;
}
