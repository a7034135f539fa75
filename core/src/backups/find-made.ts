import { isCheckpointName } from '../repositories/archive-name.rules.js';
import type { ArchiveSummary, RepositoryTarget } from '../ports/backup-driver.js';
import type { JobContext, JobResult } from '../jobs/job-contract.js';
import { repositories } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import { isArchiveOf } from './backup-job.js';
import {
  type BackupReport,
  type ReportSource,
  reportOn,
  storedReport,
  storeReport,
} from './backup-report.js';
import { judgeArchive } from './judge-archive.js';
import { sweepCheckpoints } from './sweep-checkpoints.js';

type Needs = Pick<Dependencies, 'storage' | 'driver' | 'redactor' | 'settings'>;

interface Place {
  target: RepositoryTarget;
  source: ReportSource;
}

/** What a backup came to whose end nobody saw, by the archive that it left. Null: it left none. */
export async function findMade(
  needs: Needs,
  context: JobContext,
  { target, source }: Place,
): Promise<JobResult | null> {
  const archive = await findArchive(needs, context, target);
  const report =
    storedReport(context) ?? (archive && (await reportLate(needs, context, { target, archive, source })));
  if (!report) return null;
  const result = await judgeArchive(needs, context, { target, report });
  if (archive && result.status !== 'failed') await sweepCheckpoints(needs, context, target);
  if (archive || result.status === 'failed') return result;
  return { status: 'failed', error: `Archive ${report.archive.name} was made, but is not there any more.` };
}

async function findArchive(
  { storage, driver, settings }: Needs,
  context: JobContext,
  target: RepositoryTarget,
): Promise<ArchiveSummary | null> {
  const { value } = await driver.listArchives(target, { checkpoints: true }, context.toolOptions());
  const finished = value.filter(({ name }) => !isCheckpointName(name));
  const unfinished_archives = value.length - finished.length;
  await storage.update(repositories, { id: context.repository.id }, { unfinished_archives });
  return finished.find((each) => isArchiveOf(each, context, settings.installation)) ?? null;
}

/** Nobody read what the tool said at its end. */
async function reportLate(
  needs: Needs,
  context: JobContext,
  { target, archive, source }: Place & { archive: ArchiveSummary },
): Promise<BackupReport> {
  const { value } = await needs.driver.archiveInfo(target, { archive: archive.name }, context.toolOptions());
  const made = { archive, stats: value.stats, repositoryStoredSize: null };
  const report = await reportOn({ value: made, warnings: null }, source);
  await storeReport(needs, context.job, report);
  return report;
}
