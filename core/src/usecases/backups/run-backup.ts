import { parseCustomFlags } from '../../domain/custom-flags.js';
import { AppError, isDriverError } from '../../errors.js';
import type { CreateArchiveResult, DriverResult, RepositoryTarget } from '../../ports/backup-driver.js';
import type { JobContext, JobResult } from '../../runtime/job-contract.js';
import type { Dependencies } from '../dependencies.js';
import { openTarget } from '../repositories/open-target.js';
import { refuseUnlessBackable } from './backable.js';
import { recordBackupStart } from './backup-events.js';
import { chooseArchiveName, commentFor } from './backup-job.js';
import { expectedSize } from './expected-size.js';
import { judgeArchive } from './judge-archive.js';
import { sweepCheckpoints } from './sweep-checkpoints.js';

type Needs = Pick<
  Dependencies,
  'storage' | 'driver' | 'files' | 'secrets' | 'redactor' | 'events' | 'settings' | 'log'
>;

/** One archive of the repository's sources. */
export const runBackup =
  (needs: Needs) =>
  async (context: JobContext): Promise<JobResult> => {
    const repository = refuseUnlessBackable(context.repository);
    await refuseWithoutSources(needs, repository.source_directories);
    const { target, release } = openTarget(needs)(repository);
    const measuring = new AbortController();
    try {
      await recordBackupStart(needs, context.job, repository);
      void expectedSize(needs, repository, measuring.signal).then((bytes) => {
        if (!measuring.signal.aborted) context.progress({ expectedSize: bytes });
      });
      const made = await createArchive(needs, context, target);
      const result = await judgeArchive(needs, context, { target, made });
      await sweepCheckpoints(needs, context, target);
      return result;
    } finally {
      measuring.abort();
      release();
    }
  };

async function refuseWithoutSources({ files }: Needs, sources: string[]): Promise<void> {
  const kinds = await Promise.all(sources.map((path) => files.kind(path)));
  if (kinds.every((kind) => kind === 'missing')) {
    throw new AppError('invalid', `None of the source directories is there: ${sources.join(', ')}.`);
  }
}

/** A name that someone else took in the repository is met with the next free one, never with a failed backup. */
async function createArchive(
  { storage, driver, settings }: Needs,
  context: JobContext,
  target: RepositoryTarget,
): Promise<DriverResult<CreateArchiveResult>> {
  const { job, repository } = context;
  const first = await chooseArchiveName(storage, job, repository.id);
  const create = (name: string) => {
    context.log({
      level: 'info',
      text: `Creating archive ${name} of ${repository.source_directories.join(', ')}`,
    });
    const input = {
      name,
      comment: commentFor(job, settings.installation),
      sources: repository.source_directories,
      excludePatterns: repository.exclude_patterns,
      compression: repository.compression,
      customFlags: parseCustomFlags(repository.custom_flags),
    };
    const onProgress = (progress: ToolFigures) => context.progress(figures(progress));
    return driver.createArchive(target, input, { ...context.toolOptions(), onProgress });
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
