import type { Caller } from '../../domain/caller.js';
import { invalid } from '../../errors.js';
import { inTransaction } from '../../runtime/in-transaction.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository, type RepositorySelector } from '../shared/find-repository.js';
import { refuseUnlessBackable } from './backable.js';
import { hasPreHook } from './hooks/plan-hooks.js';

type Needs = Pick<Dependencies, 'storage' | 'jobs' | 'files'>;

/** Queues a backup. AppError `not_found`; `invalid` in observe mode, without sources, or when none of them is there. */
export const startBackup =
  ({ storage, jobs, files }: Needs) =>
  async (caller: Caller, input: RepositorySelector) => {
    const repository = refuseUnlessBackable(await findRepository(storage, input));
    const { id, source_directories } = repository;
    const kinds = await Promise.all(source_directories.map((path) => files.kind(path)));
    if (kinds.every((kind) => kind === 'missing') && !(await hasPreHook(storage, repository))) {
      throw invalid(
        `None of the source directories is there: ${source_directories.join(', ')}. ` +
          'Mount or create them, or correct the list in the repository.',
      );
    }
    const waitsFor = await jobs.waitsFor(id);
    const job = await inTransaction(storage, async (session) => {
      const repository = await findRepository(session, { repository_id: id });
      return jobs.insert(
        { kind: 'backup', repository, parameters: {}, requestedBy: caller.username },
        session,
      );
    });
    jobs.ring(job.id);
    const message = waitsFor ? `Backup queued; it waits for ${waitsFor}.` : 'Backup queued.';
    return { success: true as const, job_id: job.id, status: 'pending' as const, message };
  };
