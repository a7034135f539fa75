import { isCheckpointName } from '../../domain/archive-name.js';
import type { CreateArchiveResult, RepositoryTarget } from '../../ports/backup-driver.js';
import type { JobContext, JobResult } from '../../runtime/job-contract.js';
import { type RepositoryRow, repositories } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { openTarget } from '../repositories/open-target.js';
import { isArchiveOf } from './backup-job.js';
import { judgeArchive } from './judge-archive.js';
import { sweepCheckpoints } from './sweep-checkpoints.js';

type Needs = Pick<Dependencies, 'storage' | 'driver' | 'files' | 'secrets' | 'redactor' | 'settings'>;

/** Asks the repository what became of a backup whose server process vanished: it is done when its archive is there. */
export const recoverBackup =
  (needs: Needs) =>
  async (context: JobContext): Promise<JobResult> => {
    const { target, release } = openTarget(needs)(context.repository);
    try {
      const made = await archiveMade(needs, context, target);
      if (made) {
        const source = sourceAfterwards(needs, context.repository);
        const result = await judgeArchive(needs, context, {
          target,
          made: { value: made, warnings: [] },
          source,
        });
        await sweepCheckpoints(needs, context, target);
        return result;
      }
      return {
        status: 'failed',
        error:
          'Interrupted: the service ended while this backup ran, and no archive was finished. ' +
          'Start it again; what was already transferred need not be sent twice.',
      };
    } finally {
      release();
    }
  };

/** Another host is not asked again: an archive of it without any file counts as a backup of nothing. */
const sourceAfterwards = ({ files }: Needs, { source_connection_id, source_directories }: RepositoryRow) => ({
  connectionId: source_connection_id,
  hasFile: async () => source_connection_id !== null || (await files.hasFile(source_directories)),
});

async function archiveMade(
  { storage, driver, settings }: Needs,
  context: JobContext,
  target: RepositoryTarget,
): Promise<CreateArchiveResult | null> {
  const options = { ...context.toolOptions(), lockWaitSeconds: 20 };
  const listed = await driver.listArchives(target, { checkpoints: true }, options);
  const unfinished_archives = listed.value.filter(({ name }) => isCheckpointName(name)).length;
  await storage.update(repositories, { id: context.repository.id }, { unfinished_archives });
  const archive = listed.value.find(
    (each) => !isCheckpointName(each.name) && isArchiveOf(each, context, settings.installation),
  );
  if (!archive) return null;
  const { value } = await driver.archiveInfo(target, { archive: archive.name }, options);
  return { archive, stats: value.stats, repositoryStoredSize: null };
}
