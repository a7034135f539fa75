import type { RestoreParameters } from '../restore/restore.rules.js';
import { conflict } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { type JobRow, jobs, type RepositoryRow, repositories } from '../schema/tables.js';

/**
 * AppError `conflict` while a job waits or runs that needs an SSH connection, for its repository or for what it
 * restores: this one, or any. Ask in the transaction that relies on it.
 */
export async function refuseWhileNeeded(session: StorageSession, connectionId?: number): Promise<void> {
  const unfinished = await session.find(jobs, { where: { status: { in: ['pending', 'running'] } } });
  for (const job of unfinished) {
    if (!(await needs(session, job, connectionId))) continue;
    const what = `${job.kind.replace('_', ' ')} job ${job.id} of repository ${job.repository_name}`;
    throw conflict(`The ${what} needs it and is ${job.status}: wait for its end, or cancel it first.`);
  }
}

async function needs(session: StorageSession, job: JobRow, connectionId?: number): Promise<boolean> {
  const { destinationConnectionId: destination } = job.parameters as Partial<RestoreParameters>;
  if (typeof destination === 'number' && (connectionId === undefined || destination === connectionId)) {
    return true;
  }
  if (job.repository_id === null) return false;
  const [repository] = await session.find(repositories, { where: { id: job.repository_id }, limit: 1 });
  return (
    repository !== undefined &&
    usedBy(repository).some((id) => connectionId === undefined || id === connectionId)
  );
}

const usedBy = ({ connection_id, source_connection_id }: RepositoryRow): number[] =>
  [connection_id, source_connection_id].filter((id) => id !== null);
