import type { ArchiveSummary, OperationOptions, RepositoryTarget } from '@holdfast/plugin-api/driver';
import { inOwnTransaction, type JobContext, jobs } from '../../engine/jobs/index.js';
import { clockToleranceMs, conflict, say } from '../../foundation/kernel/index.js';
import { type BackupOutcome, isCheckpointName, rewriteInventory } from '../repositories/index.js';
import { archives } from '../repositories/tables.js';
import type { DrillsNeeds } from './needs.js';

interface Asked {
  context: JobContext;
  target: RepositoryTarget;
  options: OperationOptions;
}

/** The newest archive that the tool lists. Updates the inventory. Throws AppError `conflict` without one. */
export async function newestArchive(
  needs: DrillsNeeds,
  { context, target, options }: Asked,
): Promise<ArchiveSummary> {
  const askedAt = needs.clock.now();
  const { value } = await needs.driver.listArchives(target, { checkpoints: true }, options);
  const recorded = await inOwnTransaction(needs.storage, context.job, (session) =>
    rewriteInventory(needs, context.repository, { archives: value, askedAt }, session),
  );
  needs.events.announce(recorded);
  const finished = value.filter(({ name }) => !isCheckpointName(name));
  const past = finished.filter(({ start }) => start <= askedAt + clockToleranceMs);
  const newest = (past.length > 0 ? past : finished).reduce<ArchiveSummary | null>(
    (last, each) => (last && last.start > each.start ? last : each),
    null,
  );
  if (newest) return newest;
  throw conflict(say`drill_without_archive: There is no archive to restore from: back up first.`);
}

/** Whether the archive was made by this service from files of this machine. */
export async function isFromHere(
  { storage }: Pick<DrillsNeeds, 'storage'>,
  repositoryId: number,
  toolId: string,
): Promise<boolean> {
  const where = { repository_id: repositoryId, tool_id: toolId };
  const [row] = await storage.find(archives, { where, limit: 1 });
  if (!row?.job_id) return false;
  const [job] = await storage.find(jobs, { where: { id: row.job_id, kind: 'backup' }, limit: 1 });
  const outcome = job?.outcome as BackupOutcome | null | undefined;
  return outcome != null && (outcome.sourceConnectionId ?? null) === null;
}
