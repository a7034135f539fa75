import {
  type CreateArchiveResult,
  type DriverResult,
  isDriverError,
  type RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import type { JobContext, JobResult } from '../../engine/jobs/index.js';
import { JobAborted, jobs } from '../../engine/jobs/index.js';
import { isAppError, messageOf, say, together } from '../../foundation/kernel/index.js';
import { isSpaceError, openTarget, parseCustomFlags } from '../repositories/index.js';
import type { RepositoryRow } from '../repositories/tables.js';
import { type PreparedSources, streamsOf, withoutFailed } from '../sources/index.js';
import { recordBackupStart } from './backup-events.js';
import { assertBackable, chooseArchiveName, commentFor } from './backup-job.js';
import { reportOn, storeReport } from './backup-result.js';
import type { BackupSource } from './backup-source.js';
import { expectedSize } from './backup-source.js';
import { notInArchive } from './backup-verdict.rules.js';
import { compareWithBefore } from './compare-with-before.js';
import { judgeArchive } from './judge-archive.js';
import type { BackupsNeeds } from './needs.js';
import { openSource, type SourceNeeds } from './open-source.js';
import { findMade } from './recover-backup.js';
import { sweepCheckpoints } from './sweep-checkpoints.js';

type Needs = SourceNeeds & Pick<BackupsNeeds, 'redactor' | 'events' | 'log' | 'indexes'>;

/** Makes one archive of the repository's sources. */
export async function runBackup(
  needs: Needs,
  given: JobContext,
  prepared: PreparedSources | null,
): Promise<JobResult> {
  const repository = withPrepared(assertBackable(given.repository), prepared);
  const context = { ...given, repository };
  if (prepared?.parts.length === 0 && repository.source_directories.length === 0)
    return nothingPrepared(prepared);
  const refusal = prepared && refusedByTool(needs, prepared);
  if (refusal) return refusal;
  const source = await openSource(needs, context);
  try {
    // Dumps are saved even if no folder is there; the archive then counts as partial.
    if (!prepared?.parts.some(({ streams }) => streams.length > 0)) await source.assertSourcesExist();
  } catch (error) {
    if (!isAppError(error)) throw error;
    const outcome = { lacking: repository.source_directories };
    return { status: 'failed', error: messageOf(error), outcome };
  }
  const { target, release } = openTarget(needs, repository);
  const measuring = new AbortController();
  try {
    const name = await chooseArchiveName(needs.storage, context.job, repository.id);
    await recordBackupStart(needs, context.job, { repository, archive: name });
    void expectedSize(needs, { repository, source, signal: measuring.signal }).then((bytes) => {
      if (!measuring.signal.aborted) context.progress({ expectedSize: bytes });
    });
    return await makeArchive(needs, context, {
      target,
      source,
      name,
      prepared,
      bare: given.repository,
    }).catch(async (error: unknown) => {
      if (context.lost.aborted || !isUncertain(error)) throw error;
      const made = await asIfRecovered(needs, context, { target, source, prepared }).catch(() => null);
      if (!made) throw error;
      return made;
    });
  } finally {
    measuring.abort();
    release();
  }
}

interface Making {
  target: RepositoryTarget;
  source: BackupSource;
  name: string;
  prepared: PreparedSources | null;
  /** Without what the sources added. */
  bare: RepositoryRow;
}

const withPrepared = (repository: RepositoryRow, prepared: PreparedSources | null): RepositoryRow =>
  prepared === null
    ? repository
    : {
        ...repository,
        source_directories: [
          ...new Set([...repository.source_directories, ...prepared.parts.flatMap(({ paths }) => paths)]),
        ],
        exclude_patterns: [
          ...repository.exclude_patterns,
          ...prepared.parts.flatMap(({ excludes }) => excludes),
        ],
      };

/** A tool that does not know dumps and snapshots would leave them out silently. */
function refusedByTool({ driver }: Pick<Needs, 'driver'>, { parts }: PreparedSources): JobResult | null {
  if (parts.every(({ streams, overlays }) => streams.length + overlays.length === 0)) return null;
  const reasons = driver.checkStreams?.() ?? ['it does not support them.'];
  if (reasons.length === 0) return null;
  const error = say`tool_without_dumps: The backup tool can't store dumps and snapshots: ${{ reasons }}`;
  return { status: 'failed', error };
}

function nothingPrepared({ journal }: PreparedSources): JobResult {
  const failed = journal.states().flatMap(({ name, failure }) => (failure ? [{ name, failure }] : []));
  const error = together(failed.map(notInArchive));
  return { status: 'failed', error, outcome: { lacking: failed.map(({ name }) => name) } };
}

async function makeArchive(needs: Needs, context: JobContext, making: Making): Promise<JobResult> {
  const { target, source, prepared } = making;
  const made = await createArchive(needs, context, making);
  await prepared?.verify();
  const report = await reportOn(made, source, prepared);
  await storeReport(needs, context.job, report);
  const compared = await compareWithBefore(needs, context, { target, report });
  const result = await judgeArchive(needs, context, { target, report: compared });
  await sweepCheckpoints(needs, context, target);
  return result;
}

/** A tool that was terminated, disconnected or out of space may have finished the archive just before. */
const isUncertain = (error: unknown) =>
  error instanceof JobAborted ||
  (isDriverError(error) &&
    (['cancelled', 'connection', 'failed'].includes(error.kind) || isSpaceError(error.kind)));

/**
 * Judges by the report in the job's row, as a recovery would. Neither cancelling nor a shutdown interrupts
 * this, so lock waits are kept short.
 */
async function asIfRecovered(
  needs: Needs,
  context: JobContext,
  place: Pick<Making, 'target' | 'source' | 'prepared'>,
) {
  const { job, lost } = context;
  const [row] = await needs.storage.find(jobs, { where: { id: job.id }, limit: 1 });
  const toolOptions = () => ({ ...context.toolOptions(), signal: lost, lockWaitSeconds: 1 });
  return findMade(needs, { ...context, job: row ?? job, signal: lost, toolOptions }, place);
}

/**
 * When another client took the name in the repository, a second name is tried instead of failing the backup.
 */
async function createArchive(
  needs: Needs,
  context: JobContext,
  { target, source, name: first, prepared, bare }: Making,
): Promise<DriverResult<CreateArchiveResult>> {
  const { storage, settings } = needs;
  const { job, repository } = context;
  const comment = await commentFor(storage, context, settings.installation);
  const create = (name: string) => {
    context.log({
      level: 'info',
      text: `Creating archive ${name} from ${[...repository.source_directories, ...repository.sources.map((source) => source.name)].join(', ')}`,
    });
    const input = {
      name,
      comment,
      sources: repository.source_directories,
      excludePatterns: repository.exclude_patterns,
      compression: repository.compression,
      customFlags: parseCustomFlags(repository.custom_flags),
      ...(prepared && {
        streams: streamsOf(prepared),
        overlays: prepared.parts.flatMap(({ overlays }) => overlays),
      }),
    };
    const onProgress = (progress: ToolFigures) => context.progress(figures(progress));
    return source.create(target, input, { ...context.toolOptions(), onProgress });
  };
  try {
    return await create(first);
  } catch (error) {
    const rest = prepared && !context.signal.aborted ? withoutFailed(prepared) : null;
    if (rest && rest.parts.length + bare.source_directories.length > 0) {
      const less = { ...context, repository: withPrepared(bare, rest) };
      return createArchive(needs, less, { target, source, name: first, prepared: rest, bare });
    }
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

/** Figures that the tool did not report this time keep their last value. */
function figures({ originalSize, compressedSize, deduplicatedSize, files, currentPath }: ToolFigures) {
  const reported = { originalSize, compressedSize, deduplicatedSize, files, currentPath };
  return Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== undefined));
}
