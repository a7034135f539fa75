import { isCheckpointOf } from '../../domain/archive-name.js';
import type { RepositoryTarget } from '../../ports/backup-driver.js';
import type { JobContext } from '../../runtime/job-contract.js';
import { jobs } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { baseNameOf } from './backup-job.js';

/**
 * Removes what interrupted backups of ours left unfinished in the repository, so that it stops taking space. Asks
 * the tool only when a backup ended badly since the last good one; a failure here is a line in the log.
 */
export async function sweepCheckpoints(
  { storage, driver }: Pick<Dependencies, 'storage' | 'driver'>,
  context: JobContext,
  target: RepositoryTarget,
): Promise<void> {
  const bases = await interruptedNames(storage, context);
  if (bases.length === 0) return;
  try {
    const all = await driver.listArchives(target, { checkpoints: true }, context.toolOptions());
    const names = all.value
      .map((archive) => archive.name)
      .filter((name) => bases.some((base) => isCheckpointOf(base, name)));
    if (names.length === 0) return;
    await driver.deleteArchives(target, { archives: names }, context.toolOptions());
    context.log({ level: 'info', text: `Removed what interrupted backups left: ${names.join(', ')}` });
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log({
      level: 'warning',
      text: 'What an interrupted backup left could not be removed this time.',
    });
  }
}

async function interruptedNames(
  storage: Dependencies['storage'],
  { job, repository }: JobContext,
): Promise<string[]> {
  const backups = { repository_id: repository.id, kind: 'backup' as const };
  const [good] = await storage.find(jobs, {
    where: { ...backups, status: { in: ['completed', 'completed_with_warnings'] } },
    order: [['id', 'desc']],
    limit: 1,
  });
  const bad = await storage.find(jobs, {
    where: { ...backups, status: { in: ['failed', 'cancelled'] }, id: { gt: good?.id ?? 0, lt: job.id } },
    limit: 1000,
  });
  return bad.filter((row) => row.started_at !== null).map(baseNameOf);
}
