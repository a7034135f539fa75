import { isCheckpointName } from '../../domain/archive-name.js';
import type { ArchiveSummary, RepositoryTarget } from '../../ports/backup-driver.js';
import type { JobContext, JobResult } from '../../runtime/job-contract.js';
import { repositories } from '../../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { openTarget } from '../repositories/open-target.js';
import { isArchiveOf } from './backup-job.js';
import { type BackupReport, reportOn, storedReport, storeReport } from './backup-report.js';
import { judgeArchive } from './judge-archive.js';
import { localSource } from './open-source.js';
import { unknownSources } from './pull/remote-source.js';
import { sweepCheckpoints } from './sweep-checkpoints.js';

type Needs = Pick<Dependencies, 'storage' | 'driver' | 'files' | 'secrets' | 'redactor' | 'settings'>;

/** Asks the repository what became of a backup whose server process vanished: it is done when its archive is there. */
export const recoverBackup =
  (needs: Needs) =>
  async (context: JobContext): Promise<JobResult> => {
    const { target, release } = openTarget(needs)(context.repository);
    try {
      const archive = await findArchive(needs, context, target);
      const report =
        storedReport(context) ?? (archive && (await reportLate(needs, context, { target, archive })));
      if (!report) return interrupted;
      const result = await judgeArchive(needs, context, { target, report });
      if (archive && result.status !== 'failed') await sweepCheckpoints(needs, context, target);
      if (archive || result.status === 'failed') return result;
      return {
        status: 'failed',
        error: `Archive ${report.archive.name} was made, but is not there any more.`,
      };
    } finally {
      release();
    }
  };

const interrupted: JobResult = {
  status: 'failed',
  error:
    'Interrupted: the service ended while this backup ran, and no archive was finished. ' +
    'Start it again; what was already transferred need not be sent twice.',
};

async function findArchive(
  { storage, driver, settings }: Needs,
  context: JobContext,
  target: RepositoryTarget,
): Promise<ArchiveSummary | null> {
  const { value } = await driver.listArchives(target, { checkpoints: true }, waiting(context));
  const finished = value.filter(({ name }) => !isCheckpointName(name));
  const unfinished_archives = value.length - finished.length;
  await storage.update(repositories, { id: context.repository.id }, { unfinished_archives });
  return finished.find((each) => isArchiveOf(each, context, settings.installation)) ?? null;
}

/** The service ended between the end of the tool and the first look at what it said, which is lost. */
async function reportLate(
  needs: Needs,
  context: JobContext,
  { target, archive }: { target: RepositoryTarget; archive: ArchiveSummary },
): Promise<BackupReport> {
  const { repository, job } = context;
  const { value } = await needs.driver.archiveInfo(target, { archive: archive.name }, waiting(context));
  const made = { archive, stats: value.stats, repositoryStoredSize: null };
  const report = await reportOn({ value: made, warnings: null }, sourceAfterwards(needs, repository));
  await storeReport(needs, job, report);
  return report;
}

/** Another host is not asked again: an archive of it without any file counts as a backup of nothing. */
const sourceAfterwards = (needs: Needs, repository: JobContext['repository']) =>
  repository.source_connection_id === null
    ? localSource(needs, repository)
    : {
        connectionId: repository.source_connection_id,
        found: () => Promise.resolve(unknownSources(repository)),
        hasFile: () => Promise.resolve(true),
      };

const waiting = (context: JobContext) => ({ ...context.toolOptions(), lockWaitSeconds: 20 });
