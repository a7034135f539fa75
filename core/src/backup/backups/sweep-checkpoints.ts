import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext } from '../../engine/jobs/index.js';
import { jobs } from '../../engine/jobs/index.js';
import { isCheckpointName, isCheckpointOf, noteRepository } from '../repositories/index.js';
import { baseNameOf } from './backup-job.js';
import type { BackupsNeeds } from './needs.js';

/**
 * Removes checkpoint archives that interrupted backups of this installation left in the repository, to free
 * their space, and counts those of other clients. Asks the tool only while `sweep_due` is set: the end of an
 * interrupted backup sets it, and only a sweep clears it. A failure is only logged.
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
      context.log({
        level: 'info',
        text: `Removed unfinished archives of interrupted backups: ${ours.join(', ')}`,
      });
    }
    const unfinished_archives = left.length - ours.length;
    await noteRepository(storage, id, { sweep_due: false, unfinished_archives });
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log({
      level: 'warning',
      text: 'Could not remove unfinished archives of interrupted backups. The next backup tries again.',
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
