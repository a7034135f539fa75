import type { StorageBackend, StorageSession } from '@holdfast/plugin-api';
import { inTransaction, untilStored } from '../kernel/index.js';
import { JobAborted } from './job-aborted.js';
import { type JobRow, jobs } from './tables.js';

/**
 * What a run writes beside its job's row. Rejects with JobAborted `lost`, and nothing is written, when the job belongs
 * to another run by now: this one may have stood still for long. It is repeated while the storage is away, which may
 * have taken what it could not confirm: `work` looks first whether that is there.
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
