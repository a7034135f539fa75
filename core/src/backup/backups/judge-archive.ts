import { type CreateArchiveResult, isDriverError, type RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext, JobResult } from '../../engine/jobs/index.js';
import { humanSize, type Message, messageOf, say, together } from '../../foundation/kernel/index.js';
import type { BackupOutcome } from '../repositories/index.js';
import { outcomeOf } from './backup-job.js';
import type { BackupReport } from './backup-result.js';
import { earlierArchives } from './backup-result.js';
import { judgeBackup } from './backup-verdict.rules.js';
import type { BackupsNeeds } from './needs.js';

type Needs = Pick<BackupsNeeds, 'driver' | 'storage'>;

/** Judges a finished archive. An archive without content is removed, so that it never looks like a backup. */
export async function judgeArchive(
  needs: Needs,
  context: JobContext,
  { target, report }: { target: RepositoryTarget; report: BackupReport },
): Promise<JobResult> {
  const earlier = await earlierArchives(needs, context, report);
  const verdict = judgeBackup(report, earlier, context.repository);
  const { stats } = report;
  const sources = report.sources.map(({ path }) => path);
  const result: JobResult = {
    status: verdict.status,
    error: summary(verdict.remarks),
    outcome: outcomeOf(report, { ...report, ...verdict, sources }),
    progress: { ...stats, currentPath: '', secondsRemaining: 0 },
  };
  if (verdict.isNothing) {
    const findings = { lacking: verdict.lacking, collapsed: earlier.mayHoldFiles };
    return nothingSaved(needs, context, { target, report, result, findings });
  }
  context.log({ level: 'info', text: describe(report) });
  return result;
}

interface Nothing {
  target: RepositoryTarget;
  report: BackupReport;
  result: JobResult;
  /** Part of the outcome, which has no archive then. */
  findings: Pick<BackupOutcome, 'lacking' | 'collapsed'>;
}

/** An archive that could not be removed stays in the inventory with 0 files. */
async function nothingSaved(
  { driver }: Needs,
  context: JobContext,
  { target, report: { archive }, result, findings }: Nothing,
): Promise<JobResult> {
  const reason = `${result.error}`;
  const reason_code = result.error?.code ?? '';
  try {
    await driver.deleteArchives(target, { archives: [archive.name] }, context.toolOptions());
    const error = say`backup_empty: Nothing was backed up: ${{ reason }} The empty archive was removed.`;
    return { status: 'failed', error: error.with({ reason_code }), outcome: { ...findings } };
  } catch (cause) {
    if (context.signal.aborted || !isDriverError(cause)) throw cause;
    const outcome = { ...result.outcome, ...findings };
    const { text: problem } = messageOf(cause);
    const error = say`backup_empty_archive_left: Nothing was backed up: ${{ reason }} The empty archive could not be removed: ${{ problem }}`;
    return { ...result, outcome, error: error.with({ reason_code }) };
  }
}

function describe({ archive, stats, changedFiles = 0 }: CreateArchiveResult): string {
  const changed = changedFiles > 0 ? `; ${changedFiles} files changed while they were read` : '';
  const sizes = `${humanSize(stats.originalSize)} original, ${humanSize(stats.compressedSize)} compressed`;
  return `Archive ${archive.name}: ${stats.files} files, ${sizes}, ${humanSize(stats.deduplicatedSize)} new${changed}`;
}

const maxShown = 5;

function summary(remarks: readonly Message[]): Message | null {
  const more = remarks.length - maxShown;
  const rest = more > 0 ? [say`backup_more_remarks: And ${{ more }} more: see the job's log.`] : [];
  return together([...remarks.slice(0, maxShown), ...rest]);
}
