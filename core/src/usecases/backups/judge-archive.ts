import { humanSize } from '../../domain/human-size.js';
import { AppError } from '../../errors.js';
import type { CreateArchiveResult, DriverResult, RepositoryTarget } from '../../ports/backup-driver.js';
import type { JobContext, JobResult } from '../../runtime/job-contract.js';
import type { Dependencies } from '../dependencies.js';
import { outcomeOf } from './backup-job.js';
import type { BackupSource } from './backup-source.js';

type Needs = Pick<Dependencies, 'driver'>;

interface Made {
  target: RepositoryTarget;
  made: DriverResult<CreateArchiveResult>;
  source: Pick<BackupSource, 'connectionId' | 'hasFile'>;
}

/**
 * Says what an archive that was made is worth. One without any file, from sources that have files, is removed and
 * its job fails: a backup of nothing must never look like a backup.
 */
export async function judgeArchive(
  { driver }: Needs,
  context: JobContext,
  { target, made, source }: Made,
): Promise<JobResult> {
  const { value, warnings } = made;
  const sources = context.repository.source_directories;
  if (value.stats.files === 0 && (await source.hasFile())) {
    await driver.deleteArchives(target, { archives: [value.archive.name] }, context.toolOptions());
    throw new AppError(
      'internal',
      'Nothing was saved: the sources have files, but the exclude patterns or missing rights left none of them. ' +
        `The empty archive was removed. ${warnings.join(' ')}`.trim(),
    );
  }
  context.log({ level: 'info', text: describe(value) });
  return {
    status: warnings.length === 0 ? 'completed' : 'completed_with_warnings',
    error: warnings.length === 0 ? null : summary(warnings),
    outcome: outcomeOf(value, { sources, sourceConnectionId: source.connectionId }),
    progress: {
      originalSize: value.stats.originalSize,
      compressedSize: value.stats.compressedSize,
      deduplicatedSize: value.stats.deduplicatedSize,
      files: value.stats.files,
      currentPath: '',
      secondsRemaining: 0,
    },
  };
}

function describe({ archive, stats }: CreateArchiveResult): string {
  const sizes = `${humanSize(stats.originalSize)} original, ${humanSize(stats.compressedSize)} compressed`;
  return `Archive ${archive.name}: ${stats.files} files, ${sizes}, ${humanSize(stats.deduplicatedSize)} new`;
}

const mostShown = 5;

function summary(warnings: string[]): string {
  const more = warnings.length - mostShown;
  const shown = warnings.slice(0, mostShown).join(' ');
  return more > 0 ? `${shown} And ${more} more: see the job's log.` : shown;
}
