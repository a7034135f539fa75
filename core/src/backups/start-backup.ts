import type { Caller } from '../kernel/caller.rules.js';
import { inTransaction } from '../kernel/in-transaction.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository, type RepositorySelector } from '../repositories/find-repository.js';
import { refuseUnlessBackable } from './backable.js';
import { hasPreHook } from '../hooks/plan-hooks.js';
import { openSource, type SourceNeeds } from './open-source.js';

type Needs = SourceNeeds & Pick<Dependencies, 'jobs'>;

/** Queues a backup. AppError `not_found`; `invalid` in observe mode, without sources, or when none of them is there. */
export const startBackup = (needs: Needs) => async (caller: Caller, input: RepositorySelector) => {
  const { storage, jobs } = needs;
  const found = refuseUnlessBackable(await findRepository(storage, input));
  const { id } = found;
  if (!(await hasPreHook(storage, found))) {
    await (await openSource(needs, { repository: found, log: () => {} })).refuseWithoutSources();
  }
  const waitsFor = await jobs.waitsFor(id);
  const job = await inTransaction(storage, async (session) => {
    const repository = await findRepository(session, { repository_id: id });
    return jobs.insert({ kind: 'backup', repository, parameters: {}, requestedBy: caller.username }, session);
  });
  jobs.ring(job.id);
  const message = waitsFor ? `Backup queued; it waits for ${waitsFor}.` : 'Backup queued.';
  return { success: true as const, job_id: job.id, status: 'pending' as const, message };
};
