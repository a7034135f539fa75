import type { InsertOf, StorageSession, Where } from '@holdfast/plugin-api';
import type { ArchiveStats, ArchiveSummary } from '@holdfast/plugin-api/driver';
import { type JobRow, jobs } from '../../../engine/jobs/index.js';
import type { NewEvent } from '../../../foundation/events/index.js';
import { lastingName, parseArchiveComment } from '../archive-name.rules.js';
import {
  type ArchivedSource,
  type ArchiveRow,
  archives,
  type MassChange,
  type RepositoryRow,
  repositories,
} from '../tables.js';

/** The columns that record the origin of an archive. */
export interface ArchiveRecord {
  job_id: number;
  schedule_id: number | null;
  lacking: string[] | null;
  unread: string[] | null;
  sources: ArchivedSource[];
  partial: boolean;
}

const batchSize = 1_000;

type Recorded = Partial<Pick<BackupOutcome, 'lacking' | 'unread' | 'stats' | 'prepared'>>;

const recordOf = (job: JobRow, { lacking, unread, stats, prepared = [] }: Recorded): ArchiveRecord => ({
  job_id: job.id,
  schedule_id: job.schedule_id,
  lacking: lacking ?? null,
  unread: unread ?? null,
  sources: prepared,
  partial: stats?.files === 0 || (lacking?.length ?? 0) > 0,
});

/**
 * What jobs recorded about archives of a repository, by the tool's id. The comment only points to a job. An archive
 * belongs to it only if the job recorded this id, which can't be forged.
 */
export async function recordedArchives(
  session: StorageSession,
  repositoryId: number,
  archives: readonly { tool_id: string; comment: string }[],
): Promise<Map<string, ArchiveRecord>> {
  const named = archives.flatMap(({ comment }) => parseArchiveComment(comment)?.job ?? []);
  const uids = named.filter((job) => typeof job === 'string');
  const ids = named.filter((job) => typeof job === 'number');
  const found = [
    ...(await backupsIn(session, uids, (uid) => ({ uid }))),
    ...(await backupsIn(session, ids, (id) => ({ id }))),
  ];
  const wanted = new Set(archives.map(({ tool_id }) => tool_id));
  const records = new Map<string, ArchiveRecord>();
  for (const job of found) {
    const outcome = job.outcome as Partial<BackupOutcome> | null;
    // The registration that it ran under may have been removed since.
    const isHere = job.repository_id === null || job.repository_id === repositoryId;
    if (isHere && outcome?.archive && wanted.has(outcome.archive.id))
      records.set(outcome.archive.id, recordOf(job, outcome));
  }
  return records;
}

/** The backup jobs that match a condition on any of these values. */
export async function backupsIn<T>(
  session: StorageSession,
  values: readonly T[],
  condition: (among: { in: readonly T[] }) => Where<typeof jobs>,
): Promise<JobRow[]> {
  const distinct = [...new Set(values)];
  const found: JobRow[] = [];
  for (let from = 0; from < distinct.length; from += batchSize) {
    const among = condition({ in: distinct.slice(from, from + batchSize) });
    found.push(...(await session.find(jobs, { where: { ...among, kind: 'backup' } })));
  }
  return found;
}

/** The columns that come from a listing. */
export const summaryValues = (archive: ArchiveSummary) => ({
  tool_id: archive.id,
  name: archive.name,
  start: archive.start,
  end: archive.end,
  hostname: archive.hostname,
  username: archive.username,
  comment: archive.comment,
});

/** A new row, with sizes if known. */
export const archiveValues = (
  archive: ArchiveSummary,
  { repositoryId, seenAt, stats }: { repositoryId: number; seenAt: number; stats?: ArchiveStats },
): InsertOf<typeof archives> => ({
  ...summaryValues(archive),
  repository_id: repositoryId,
  seen_at: seenAt,
  original_size: stats?.originalSize ?? null,
  compressed_size: stats?.compressedSize ?? null,
  deduplicated_size: stats?.deduplicatedSize ?? null,
  files: stats?.files ?? null,
});

/** True when the row already matches the listing. */
export function matchesListing(row: ArchiveRow, archive: ArchiveSummary): boolean {
  const listed = summaryValues(archive);
  return (Object.keys(listed) as (keyof typeof listed)[]).every((key) => row[key] === listed[key]);
}

/** A repair or a signing rewrites an archive: it has a new id, and everything else is unchanged. */
export const isRewritten = (row: ArchiveRow, archive: ArchiveSummary): boolean =>
  lastingName(row.name) === lastingName(archive.name) &&
  row.start === archive.start &&
  row.comment === archive.comment;

/** `before`: it was rewritten, by a tool that leaves no valid signature unless it can verify them. */
export function lacksSignature(
  { signature }: ArchiveSummary,
  { row, before }: { row?: ArchiveRow; before?: ArchiveRow | undefined },
): boolean | null {
  if (signature === 'valid') return row?.unsigned === null ? null : false;
  const isNone = signature === 'none' || (signature === 'unknown' && before !== undefined);
  return row?.unsigned ?? (isNone || null);
}

/** The data that a rewritten archive keeps. Its job is kept only when nobody else can have put it there. */
export const retainedValues = (row: ArchiveRow, isSure: boolean): Partial<ArchiveRow> => ({
  original_size: row.original_size,
  compressed_size: row.compressed_size,
  deduplicated_size: row.deduplicated_size,
  files: row.files,
  lacking: row.lacking,
  unread: row.unread,
  sources: row.sources,
  partial: row.partial,
  damaged: row.damaged,
  measured_at: row.measured_at,
  ...(isSure ? ownerOf(row) : {}),
});

const ownerOf = ({ job_id, schedule_id, adopted_at, former_schedule_id }: ArchiveRow) => ({
  job_id,
  schedule_id,
  adopted_at,
  former_schedule_id,
});

/** When the archive was finished, or its start when unknown. */
export const finishedAt = ({ start, end }: { start: number; end: number | null }): number => end ?? start;

type Made = Pick<
  BackupOutcome,
  'archive' | 'stats' | 'repositoryStoredSize' | 'lacking' | 'unread' | 'prepared'
>;

/**
 * Adds the archive that a job just made to the inventory, with this job as its origin, without asking the tool again.
 * Call it in the transaction that ends the job. Safe to repeat. `at`: now. The handler of the job reports
 * `archives_changed`.
 */
export async function addArchive(
  session: StorageSession,
  { id }: Pick<RepositoryRow, 'id'>,
  { job, made, at }: { job: JobRow; made: Made; at: number },
): Promise<void> {
  const [repository] = await session.find(repositories, { where: { id }, limit: 1 });
  if (!repository) return;
  await session.remove(archives, { repository_id: id, name: made.archive.name });
  await session.insert(archives, {
    ...archiveValues(made.archive, { repositoryId: id, seenAt: at, stats: made.stats }),
    ...recordOf(job, made),
  });
  await recount(session, id, {
    last_backup: Math.max(repository.last_backup ?? 0, finishedAt(made.archive)),
    stored_size: made.repositoryStoredSize ?? repository.stored_size,
  });
}

/** Stores what the tool told about an archive whose sizes were not known. */
export const noteSizes = (
  session: Pick<StorageSession, 'update'>,
  { id, partial }: ArchiveRow,
  { stats, at }: { stats: ArchiveStats; at: number },
) =>
  session.update(
    archives,
    { id, original_size: null },
    {
      original_size: stats.originalSize,
      compressed_size: stats.compressedSize,
      deduplicated_size: stats.deduplicatedSize,
      files: stats.files,
      partial: partial || stats.files === 0,
      measured_at: at,
    },
  );

/** What it added when it was made. Sizes that were measured later say what only this archive holds. */
export const addedSize = ({ deduplicated_size, measured_at }: ArchiveRow): number | null =>
  measured_at === null ? deduplicated_size : null;

export const noteMeasureFailure = (
  session: Pick<StorageSession, 'update'>,
  { id, measure_failures }: ArchiveRow,
) => session.update(archives, { id }, { measure_failures: measure_failures + 1 });

/**
 * Removes archives that a job deleted from the inventory. Call it in the transaction that ends the job. Safe to
 * repeat. The handler of the job reports `archives_changed`. Returns the number of removed rows.
 */
export async function removeArchives(
  session: StorageSession,
  repositoryId: number,
  names: readonly string[],
): Promise<number> {
  if (names.length === 0) return 0;
  const removed = await session.remove(archives, { repository_id: repositoryId, name: { in: names } });
  await recount(session, repositoryId);
  return removed;
}

/**
 * Records which archives have files that lost content. Call it in the transaction that ends the job. `all`: every
 * archive was checked, so the others are intact.
 */
export async function markDamaged(
  session: StorageSession,
  repositoryId: number,
  { names, all }: { names: readonly string[]; all: boolean },
): Promise<void> {
  const where = { repository_id: repositoryId };
  if (all) await session.update(archives, { ...where, damaged: true }, { damaged: false });
  if (names.length > 0) await session.update(archives, { ...where, name: { in: names } }, { damaged: true });
}

/** Writes the counts of archives from the rows, and `patch` in the same statement. */
export async function recount(
  session: StorageSession,
  repositoryId: number,
  patch: Partial<RepositoryRow> = {},
): Promise<void> {
  const where = { repository_id: repositoryId };
  const count = async (of: Where<typeof archives>) =>
    (await session.aggregate(archives, { where: of, measures: { rows: { count: true } } }))[0]?.rows ?? 0;
  const [archive_count, unsigned_archives] = [await count(where), await count({ ...where, unsigned: true })];
  await session.update(repositories, { id: repositoryId }, { ...patch, archive_count, unsigned_archives });
}

export interface ArchiveChange {
  /** Names; an archive that was replaced under the same name is in both. */
  added: string[];
  removed: string[];
}

/** The event that makes caches update. */
export const archivesChanged = (
  repositoryId: number,
  change: Partial<ArchiveChange>,
  jobId: number | null = null,
): NewEvent => ({
  kind: 'archives_changed',
  repositoryId,
  jobId,
  data: { added: change.added ?? [], removed: change.removed ?? [] },
});

/** What a finished backup stores in the `outcome` of its job. */
export interface BackupOutcome extends Record<string, unknown> {
  archive: ArchiveSummary;
  stats: ArchiveStats;
  repositoryStoredSize: number | null;
  sources: string[];
  /** The connection of the sources; null: this machine. */
  sourceConnectionId: number | null;
  /** Sources that are not in the archive: missing, unreadable, symlinks, or empty when they were not before. */
  lacking?: string[];
  /** Paths in the sources that could not be read, the first hundred. */
  unread?: string[];
  changedFiles?: number;
  /** Sources that had files in this or an earlier backup. */
  filled?: string[];
  /** The archive has far less than the last complete one, so data may be missing unnoticed. */
  collapsed?: boolean;
  /** It changed or removed most files of the archive before. */
  massChange?: Omit<MassChange, 'job_id' | 'archive'>;
  /** A user resumed the retention after it: the size is as it should be. */
  accepted?: boolean;
  /** Other file systems below the sources that were left out. */
  skipped?: string[];
  /** Databases and containers that were prepared for the archive. */
  prepared?: ArchivedSource[];
}
