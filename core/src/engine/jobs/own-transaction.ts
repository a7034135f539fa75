import type { StorageBackend, StorageSession } from '@holdfast/plugin-api';
import { inTransaction, untilStored } from '../../foundation/kernel/index.js';
import { JobAborted } from './job-aborted.js';
import { type JobRow, jobs } from './tables.js';

/**
 * Writes data of a run other than the row of its job. Rejects with JobAborted `lost` without writing when the job now
 * belongs to another run, as after a long suspension. Retries while the storage is unavailable. The storage may have
 * committed what it could not confirm, so `work` must first check whether its data is there.
 */
export function inOwnTransaction<T>(
  storage: StorageBackend,
  { id, fence }: Pick<JobRow, 'id' | 'fence'>,
  work: (session: StorageSession) => Promise<T>,
): Promise<T> {
  const asOwner = async (session: StorageSession) => {
    const ours = { id, fence, status: 'running' as const };
    if ((await session.find(jobs, { where: ours, limit: 1 })).length === 0) throw new JobAborted('lost');
    return work(session);
  };
  return untilStored(() => inTransaction(storage, asOwner));
}
