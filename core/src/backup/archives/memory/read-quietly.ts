import type { OperationOptions, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { jobs } from '../../../engine/jobs/index.js';
import { repeat } from '../../../foundation/kernel/index.js';
import { openTarget } from '../../repositories/index.js';
import type { RepositoryRow } from '../../repositories/tables.js';
import type { ArchivesNeeds } from '../needs.js';

type Needs = Pick<ArchivesNeeds, 'storage' | 'secrets' | 'redactor'>;

/** How often it looks whether a job wants the repository. */
const lookEveryMs = 1_000;

/** Thrown instead of the error of the tool. */
export const interrupted = new Error('a job wants the repository');

export async function isWanted({ storage }: Pick<Needs, 'storage'>, repository_id: number): Promise<boolean> {
  const where = { repository_id, status: { in: ['pending', 'running'] as const } };
  return (await storage.find(jobs, { where, limit: 1 })).length > 0;
}

/**
 * Reads with the tool in the background. Gives way to every job of the repository. Takes no lock in it: another client's
 * backup must not fail because of this. Throws `interrupted`.
 */
export async function readQuietly<T>(
  needs: Needs,
  repository: RepositoryRow,
  {
    signal,
    work,
  }: { signal: AbortSignal; work(target: RepositoryTarget, options: OperationOptions): Promise<T> },
): Promise<T> {
  const giveWay = new AbortController();
  const look = repeat(
    async () => {
      if (await isWanted(needs, repository.id)) giveWay.abort();
    },
    { everyMs: lookEveryMs, onError: () => {}, later: true },
  );
  const { target, release } = openTarget(needs, repository);
  try {
    return await work(target, { bypassLock: true, signal: AbortSignal.any([signal, giveWay.signal]) });
  } catch (error) {
    throw giveWay.signal.aborted ? interrupted : error;
  } finally {
    release();
    await look.stop();
  }
}
