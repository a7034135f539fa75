import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext } from '../jobs/index.js';
import { jobs } from '../jobs/tables.js';
import { isCheckpointName, isCheckpointOf, noteRepository } from '../repositories/index.js';
import { baseNameOf } from './backup-job.js';
import type { BackupsNeeds } from './needs.js';

/**
 * Removes what interrupted backups of ours left unfinished in the repository, so that it stops taking space, and
 * counts what others left. Asks the tool only while that is due, which the end of an interrupted backup writes and
 * only a sweep takes back; a failure here is a line in the log.
 */
export async function sweepCheckpoints(
  { storage, driver }: Pick<BackupsNeeds, 'storage' | 'driver'>,
  context: JobContext,
  target: RepositoryTarget,
): Promise<void> {
  const { id, sweep_due } = context.repository;
  if (!sweep_due) return;
  try {
    const bases = await interruptedNames(storage, id);
    const all = await driver.listArchives(target, { checkpoints: true }, context.toolOptions());
    const left = all.value.map(({ name }) => name).filter(isCheckpointName);
    const ours = left.filter((name) => bases.some((base) => isCheckpointOf(base, name)));
    if (ours.length > 0) {
      await driver.deleteArchives(target, { archives: ours }, context.toolOptions());
      context.log({ level: 'info', text: `Removed what interrupted backups left: ${ours.join(', ')}` });
    }
    const unfinished_archives = left.length - ours.length;
    await noteRepository(storage, id, { sweep_due: false, unfinished_archives });
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log({
      level: 'warning',
      text: 'What an interrupted backup left could not be removed this time. The next backup tries again.',
    });
  }
}

async function interruptedNames(storage: BackupsNeeds['storage'], repositoryId: number): Promise<string[]> {
  const bad = await storage.find(jobs, {
    where: { repository_id: repositoryId, kind: 'backup', status: { in: ['failed', 'cancelled'] } },
    order: [['id', 'desc']],
    limit: 1000,
  });
  return bad.filter((row) => row.started_at !== null).map(baseNameOf);
}
