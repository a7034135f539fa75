import { conflict } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { jobs } from '../schema/tables.js';

/**
 * AppError `conflict` while a job of the repository waits or runs. Ask in the transaction that relies on
 * it.
 */
export async function refuseWhileJobs(session: StorageSession, repositoryId: number): Promise<void> {
  const [job] = await session.find(jobs, {
    where: { repository_id: repositoryId, status: { in: ['pending', 'running'] } },
    limit: 1,
  });
  if (!job) return;
  const what = `${job.kind.replace('_', ' ')} job ${job.id}`;
  throw conflict(`The ${what} of this repository is ${job.status}: wait for its end, or cancel it first.`);
}
