import type { CreateArchiveResult } from '@holdfast/plugin-api/driver';
import type { JobContext } from '../../engine/jobs/index.js';
import { inOwnTransaction, type JobRow, jobs, noteReport } from '../../engine/jobs/index.js';
import type { BackupOutcome } from '../repositories/index.js';
import { archives } from '../repositories/tables.js';
import type { PreparedSources } from '../sources/index.js';
import type { BackupSource } from './backup-source.js';
import type { BackupFacts, EarlierArchives } from './backup-verdict.rules.js';
import type { BackupsNeeds } from './needs.js';

/** Facts for judging a finished archive, now or after a crash. JSON. */
export interface BackupReport extends BackupFacts, CreateArchiveResult, Record<string, unknown> {
  /** Connection to the host of the sources; null for this machine. */
  sourceConnectionId: number | null;
  /** Absent in reports from before there were sources. */
  prepared?: BackupOutcome['prepared'];
}

type Needs = Pick<BackupsNeeds, 'storage' | 'redactor'>;
export type ReportSource = Pick<BackupSource, 'connectionId' | 'found' | 'hasFile' | 'skipped'>;

export async function reportOn(
  { value, warnings }: { value: CreateArchiveResult; warnings: string[] | null },
  source: ReportSource,
  prepared: PreparedSources | null,
): Promise<BackupReport> {
  const states = prepared?.journal.states() ?? [];
  const { archive, stats, repositoryStoredSize, unread, changedFiles } = value;
  return {
    archive,
    stats,
    repositoryStoredSize,
    warnings,
    ...(unread && { unread }),
    ...(changedFiles && { changedFiles }),
    sources: await source.found(),
    skipped: (await source.skipped?.()) ?? [],
    mayHoldFiles: stats.files > 0 || (await source.hasFile()),
    sourceConnectionId: source.connectionId,
    prepared: states.filter(({ failure }) => failure === null).map(({ kind, name }) => ({ kind, name })),
    unprepared: states.flatMap(({ name, failure }) => (failure ? [{ name, failure }] : [])),
  };
}

/** Runs before anything else, so that a run that takes over the job judges by the same facts. */
export async function storeReport(
  { storage, redactor }: Needs,
  { id, fence }: JobRow,
  report: BackupReport,
): Promise<void> {
  const warnings = report.warnings?.map((text) => redactor.redact(text)) ?? null;
  const reported = { ...report, warnings };
  await inOwnTransaction(storage, { id, fence }, (session) => noteReport(session, { id, fence }, reported));
}

export const storedReport = ({ job }: Pick<JobContext, 'job'>): BackupReport | null =>
  job.reported as BackupReport | null;

const maxJobs = 100;

/** Summarises the earlier archives of the repository and the jobs that made them. */
export async function earlierArchives(
  { storage }: Pick<BackupsNeeds, 'storage'>,
  { job, repository }: Pick<JobContext, 'job' | 'repository'>,
  { archive, sources, sourceConnectionId, prepared, delta }: BackupReport,
): Promise<EarlierArchives> {
  const ofRepository = { repository_id: repository.id };
  const [rows, done] = await Promise.all([
    storage.find(archives, { where: ofRepository }),
    storage.find(jobs, {
      where: { ...ofRepository, kind: 'backup', id: { lt: job.id } },
      order: [['id', 'desc']],
      limit: maxJobs,
    }),
  ]);
  const others = rows.filter((row) => row.tool_id !== archive.id);
  const read = namesOf({ sources: sources.map(({ path }) => path), prepared });
  const made = done
    .map(({ outcome }) => outcome as Partial<BackupOutcome> | null)
    .filter((outcome): outcome is BackupOutcome => outcome?.archive !== undefined)
    .filter((outcome) => (outcome.sourceConnectionId ?? null) === sourceConnectionId);
  const whole = made.find((outcome) => {
    const row = others.find(({ tool_id }) => tool_id === outcome.archive.id);
    return row !== undefined && !row.damaged && isWhole(outcome) && namesOf(outcome) === read;
  });
  return {
    mayHoldFiles: others.some(({ files }) => files !== 0),
    filled: made[0] ? filledIn(made[0]) : [],
    skipped: made[0]?.skipped ?? [],
    before: others.find(({ tool_id }) => tool_id === delta?.before)?.name,
    whole: whole ? { ...whole.stats, name: whole.archive.name } : null,
  };
}

const isWhole = ({ stats, lacking = [], collapsed, accepted }: BackupOutcome): boolean =>
  stats.files > 0 && lacking.length === 0 && (collapsed !== true || accepted === true);

/** What a backup read, in one text. */
const namesOf = ({ sources, prepared = [] }: Pick<BackupOutcome, 'sources' | 'prepared'>): string =>
  [...sources, ...prepared.map(({ kind, name }) => `${kind} ${name}`)].sort().join('\0');

/** Older jobs did not record this. None of their sources is known to have been empty. */
const filledIn = ({ filled, stats, sources }: BackupOutcome): string[] =>
  filled ?? (stats.files > 0 ? sources : []);
