import type { ArchiveSummary, RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext, JobResult } from '../../engine/jobs/index.js';
import { say } from '../../foundation/kernel/index.js';
import { isCheckpointName, noteRepository, openTarget } from '../repositories/index.js';
import type { PreparedSources } from '../sources/index.js';
import { isArchiveOf } from './backup-job.js';
import {
  type BackupReport,
  type ReportSource,
  reportOn,
  storedReport,
  storeReport,
} from './backup-result.js';
import { compareWithBefore } from './compare-with-before.js';
import { judgeArchive } from './judge-archive.js';
import type { BackupsNeeds } from './needs.js';
import { localSource } from './open-source.js';
import { unknownSources } from './pull/remote-source.js';
import { sweepCheckpoints } from './sweep-checkpoints.js';

/**
 * Finds out from the repository what became of a backup whose server process died: it succeeded when its
 * archive exists.
 */
export async function recoverBackup(
  needs: BackupsNeeds,
  context: JobContext,
  prepared: PreparedSources | null,
): Promise<JobResult> {
  const { target, release } = openTarget(needs, context.repository);
  try {
    const source = sourceAfterwards(needs, context.repository);
    const toolOptions = () => ({ ...context.toolOptions(), lockWaitSeconds: 20 });
    return (await findMade(needs, { ...context, toolOptions }, { target, source, prepared })) ?? interrupted;
  } finally {
    release();
  }
}

const interrupted: JobResult = {
  status: 'failed',
  error: say`backup_interrupted: Interrupted: Holdfast stopped during this backup, and no archive was completed. Start it again; data that was already transferred is not sent twice.`,
};

/** A remote host is not asked again. An archive of it without files counts as empty. */
const sourceAfterwards = (needs: BackupsNeeds, repository: JobContext['repository']) =>
  repository.source_connection_id === null
    ? localSource(needs, repository)
    : {
        connectionId: repository.source_connection_id,
        found: () => Promise.resolve(unknownSources(repository)),
        hasFile: () => Promise.resolve(true),
      };

type FindMadeNeeds = Pick<BackupsNeeds, 'storage' | 'driver' | 'redactor' | 'settings' | 'indexes' | 'log'>;

interface Place {
  target: RepositoryTarget;
  source: ReportSource;
  prepared: PreparedSources | null;
}

/**
 * The result of a backup whose end was not observed, judged by the archive that it left. Null when it left
 * none.
 */
export async function findMade(
  needs: FindMadeNeeds,
  context: JobContext,
  { target, source, prepared }: Place,
): Promise<JobResult | null> {
  const archive = await findArchive(needs, context, target);
  const report =
    storedReport(context) ??
    (archive && (await reportLate(needs, context, { target, archive, source, prepared })));
  if (!report) return null;
  const compared = archive ? await compareWithBefore(needs, context, { target, report }) : report;
  const result = await judgeArchive(needs, context, { target, report: compared });
  if (archive && result.status !== 'failed') await sweepCheckpoints(needs, context, target);
  if (archive || result.status === 'failed') return result;
  return {
    status: 'failed',
    error: say`backup_archive_gone: Archive ${{ archive: report.archive.name }} was created but no longer exists.`,
  };
}

async function findArchive(
  { storage, driver, settings }: FindMadeNeeds,
  context: JobContext,
  target: RepositoryTarget,
): Promise<ArchiveSummary | null> {
  const { value } = await driver.listArchives(target, { checkpoints: true }, context.toolOptions());
  const finished = value.filter(({ name }) => !isCheckpointName(name));
  const unfinished_archives = value.length - finished.length;
  await noteRepository(storage, context.repository.id, { unfinished_archives });
  return finished.find((each) => isArchiveOf(each, context, settings.installation)) ?? null;
}

/** Rebuilds a report without the tool's final output, which was lost. */
async function reportLate(
  needs: FindMadeNeeds,
  context: JobContext,
  { target, archive, source, prepared }: Place & { archive: ArchiveSummary },
): Promise<BackupReport> {
  const { value } = await needs.driver.archiveInfo(target, { archive: archive.name }, context.toolOptions());
  const made = { archive, stats: value.stats, repositoryStoredSize: null };
  await prepared?.verify();
  const report = await reportOn({ value: made, warnings: null }, source, prepared);
  await storeReport(needs, context.job, report);
  return report;
}
