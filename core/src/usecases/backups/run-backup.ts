import { parseCustomFlags } from '../../domain/custom-flags.js';
import { isDriverError } from '../../errors.js';
import type { CreateArchiveResult, DriverResult, RepositoryTarget } from '../../ports/backup-driver.js';
import type { JobContext, JobResult } from '../../runtime/job-contract.js';
import type { Dependencies } from '../dependencies.js';
import { openTarget } from '../repositories/open-target.js';
import { refuseUnlessBackable } from './backable.js';
import { recordBackupStart } from './backup-events.js';
import { chooseArchiveName, commentFor } from './backup-job.js';
import { reportOn, storeReport } from './backup-report.js';
import type { BackupSource } from './backup-source.js';
import { expectedSize } from './expected-size.js';
import { judgeArchive } from './judge-archive.js';
import { openSource, type SourceNeeds } from './open-source.js';
import { sweepCheckpoints } from './sweep-checkpoints.js';

type Needs = SourceNeeds & Pick<Dependencies, 'redactor' | 'events' | 'log'>;

/** One archive of the repository's sources. */
export const runBackup =
  (needs: Needs) =>
  async (context: JobContext): Promise<JobResult> => {
    const repository = refuseUnlessBackable(context.repository);
    const source = await openSource(needs, context);
    await source.refuseWithoutSources();
    const { target, release } = openTarget(needs)(repository);
    const measuring = new AbortController();
    try {
      const name = await chooseArchiveName(needs.storage, context.job, repository.id);
      await recordBackupStart(needs, context.job, { repository, archive: name });
      void expectedSize(needs, { repository, source, signal: measuring.signal }).then((bytes) => {
        if (!measuring.signal.aborted) context.progress({ expectedSize: bytes });
      });
      const made = await createArchive(needs, context, { target, source, name });
      const report = await reportOn(made, source);
      await storeReport(needs, context.job, report);
      const result = await judgeArchive(needs, context, { target, report });
      await sweepCheckpoints(needs, context, target);
      return result;
    } finally {
      measuring.abort();
      release();
    }
  };

/** A name that someone else took in the repository is met with the next free one, never with a failed backup. */
async function createArchive(
  { storage, settings }: Needs,
  context: JobContext,
  { target, source, name: first }: { target: RepositoryTarget; source: BackupSource; name: string },
): Promise<DriverResult<CreateArchiveResult>> {
  const { job, repository } = context;
  const comment = await commentFor(storage, job, settings.installation);
  const create = (name: string) => {
    context.log({
      level: 'info',
      text: `Creating archive ${name} of ${repository.source_directories.join(', ')}`,
    });
    const input = {
      name,
      comment,
      sources: repository.source_directories,
      excludePatterns: repository.exclude_patterns,
      compression: repository.compression,
      customFlags: parseCustomFlags(repository.custom_flags),
    };
    const onProgress = (progress: ToolFigures) => context.progress(figures(progress));
    return source.create(target, input, { ...context.toolOptions(), onProgress });
  };
  try {
    return await create(first);
  } catch (error) {
    if (!isDriverError(error, 'archive_exists')) throw error;
    return create(`${first}-${job.id}`);
  }
}

interface ToolFigures {
  originalSize?: number;
  compressedSize?: number;
  deduplicatedSize?: number;
  files?: number;
  currentPath?: string;
}

/** Figures that the tool did not tell this time keep their last value. */
function figures({ originalSize, compressedSize, deduplicatedSize, files, currentPath }: ToolFigures) {
  const told = { originalSize, compressedSize, deduplicatedSize, files, currentPath };
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}
