import type { RepositoryTarget } from '@holdfast/plugin-api/driver';
import type { JobContext } from '../../engine/jobs/index.js';
import { rememberArchive, whyNot } from '../archives/index.js';
import type { BackupReport } from './backup-result.js';
import type { BackupsNeeds } from './needs.js';

/**
 * Adds the new archive to the index, which compares it with the one before. The backup succeeded already, so a failure
 * only leaves the comparison out; the index is completed later.
 */
export async function compareWithBefore(
  needs: Pick<BackupsNeeds, 'indexes' | 'driver' | 'redactor'>,
  context: JobContext,
  { target, report }: { target: RepositoryTarget; report: BackupReport },
): Promise<BackupReport> {
  if (needs.indexes.maxBytes === 0 || report.stats.files === 0) return report;
  context.progress({ message: 'Comparing with the archive before' });
  try {
    const { archive } = report;
    const options = context.toolOptions();
    const added = await rememberArchive(needs, context.repository, { archive, target, options });
    return { ...report, delta: added?.delta ?? null };
  } catch (error) {
    if (context.lost.aborted) throw error;
    const reason = needs.redactor.redact(whyNot(error));
    context.log({ level: 'info', text: `The archive was not compared with the one before it: ${reason}` });
    return report;
  }
}
