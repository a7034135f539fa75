import type { BackupFacts } from './backup-verdict.rules.js';
import type { CreateArchiveResult } from '../ports/backup-driver.js';
import { inOwnTransaction } from '../kernel/in-own-transaction.js';
import type { JobContext } from '../jobs/job-contract.js';
import { type JobRow, jobs } from '../schema/tables.js';
import type { Dependencies } from '../dependencies.js';
import type { BackupSource } from './backup-source.js';

/** What an archive that was made is judged by, then and after a crash. JSON. */
export interface BackupReport extends BackupFacts, CreateArchiveResult, Record<string, unknown> {
  /** Where the sources are; null: this machine. */
  sourceConnectionId: number | null;
}

type Needs = Pick<Dependencies, 'storage' | 'redactor'>;
export type ReportSource = Pick<BackupSource, 'connectionId' | 'found' | 'hasFile'>;

export async function reportOn(
  { value, warnings }: { value: CreateArchiveResult; warnings: string[] | null },
  source: ReportSource,
): Promise<BackupReport> {
  const { archive, stats, repositoryStoredSize } = value;
  return {
    ...{ archive, stats, repositoryStoredSize, warnings },
    sources: await source.found(),
    mayHoldFiles: stats.files > 0 || (await source.hasFile()),
    sourceConnectionId: source.connectionId,
  };
}

/** Before anything else is done: whoever takes the job over must be able to tell the same. */
export async function storeReport(
  { storage, redactor }: Needs,
  { id, fence }: JobRow,
  report: BackupReport,
): Promise<void> {
  const warnings = report.warnings?.map((text) => redactor.redact(text)) ?? null;
  const reported = { ...report, warnings };
  await inOwnTransaction(storage, { id, fence }, (session) =>
    session.update(jobs, { id, fence }, { reported }),
  );
}

export const storedReport = ({ job }: Pick<JobContext, 'job'>): BackupReport | null =>
  job.reported as BackupReport | null;
