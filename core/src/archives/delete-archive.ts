import type { Caller } from '../kernel/caller.rules.js';
import { conflict, invalid } from '../kernel/errors.js';
import type { StorageSession } from '../ports/storage.js';
import { inTransaction } from '../kernel/in-transaction.js';
import { jobs } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { findRepository } from '../repositories/find-repository.js';
import { type ArchiveNeeds, type ArchiveSelector, findArchive } from './find-archive.js';

/** Queues the deletion of an archive. AppError `not_found`; `invalid` in observe mode; `conflict` when one is on its way. */
export const deleteArchive = (needs: ArchiveNeeds & Pick<Dependencies, 'jobs'>) => {
  const find = findArchive(needs);
  return async (caller: Caller, selector: ArchiveSelector) => {
    refuseObserving(await findRepository(needs.storage, selector));
    const { repository, archive } = await find(selector);
    const waitsFor = await needs.jobs.waitsFor(repository.id);
    const job = await inTransaction(needs.storage, async (session) => {
      await refuseTwice(session, repository.id, archive.name);
      const parameters = { archive: archive.name, archive_id: archive.tool_id };
      const asked = await findRepository(session, { repository_id: repository.id });
      const newJob = { kind: 'archive_deletion' as const, repository: asked, parameters };
      return needs.jobs.insert({ ...newJob, requestedBy: caller.username }, session);
    });
    needs.jobs.ring(job.id);
    const queued = `Deletion of archive ${archive.name} queued`;
    const message = waitsFor ? `${queued}; it waits for ${waitsFor}.` : `${queued}.`;
    return { success: true as const, job_id: job.id, status: 'pending' as const, message };
  };
};

function refuseObserving({ mode, name }: { mode: string; name: string }): void {
  if (mode !== 'observe') return;
  throw invalid(
    `Repository ${name} is in observe mode, which only reads. Set its mode to full to delete archives.`,
  );
}

async function refuseTwice(session: StorageSession, repositoryId: number, name: string): Promise<void> {
  const open = await session.find(jobs, {
    where: { repository_id: repositoryId, kind: 'archive_deletion', status: { in: ['pending', 'running'] } },
  });
  const same = open.find((job) => job.parameters.archive === name);
  if (same) throw conflict(`Archive ${name} is being deleted already, by job ${same.id}.`);
}
