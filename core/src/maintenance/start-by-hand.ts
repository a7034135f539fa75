import type { Caller } from '../kernel/caller.rules.js';
import { conflict, invalid } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { jobs, type RepositoryRow } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from '../repositories/find-repository.js';

export type StartNeeds = Pick<Dependencies, 'storage' | 'jobs'>;

export interface MaintenanceOrder {
  kind: 'check' | 'compact' | 'prune';
  /** In words, for messages: `Check`. */
  what: string;
  repositoryId: number;
  parameters: Record<string, unknown>;
  /** A repository in observe mode refuses it. */
  writes: boolean;
  /** Further conditions. */
  refuse?(session: StorageSession, repository: RepositoryRow): void | Promise<void>;
}

/**
 * Queues one maintenance job that a person asked for. AppError `not_found`; `invalid` in observe mode; `conflict` when
 * one of its kind waits or runs already.
 */
export const startByHand =
  ({ storage, jobs: queue }: StartNeeds) =>
  async (caller: Caller, order: MaintenanceOrder) => {
    const { kind, repositoryId, parameters, what } = order;
    const found = await findRepository(storage, { repository_id: repositoryId });
    await refuse(storage, found, order);
    const waitsFor = await queue.waitsFor(repositoryId);
    const job = await inTransaction(storage, async (session) => {
      const repository = await findRepository(session, { repository_id: repositoryId });
      await refuse(session, repository, order);
      return queue.insert({ kind, repository, parameters, requestedBy: caller.username }, session);
    });
    queue.ring(job.id);
    const message = waitsFor ? `${what} queued; it waits for ${waitsFor}.` : `${what} queued.`;
    return { success: true as const, job_id: job.id, status: 'pending' as const, message };
  };

async function refuse(
  session: StorageSession,
  repository: RepositoryRow,
  { kind, what, writes, refuse: further }: MaintenanceOrder,
): Promise<void> {
  const { id, name, mode } = repository;
  if (writes && mode === 'observe') {
    throw invalid(`Repository ${name} is in observe mode, which only reads. Set its mode to full first.`);
  }
  await further?.(session, repository);
  const where = { repository_id: id, kind, status: { in: ['pending', 'running'] as const } };
  const [open] = await session.find(jobs, { where, limit: 1 });
  if (!open) return;
  throw conflict(
    `${what} refused: ${kind} job ${open.id} of this repository is ${open.status} already. Wait for its end, or ` +
      'cancel it.',
  );
}
