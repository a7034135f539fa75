import type { ArchiveStats, ArchiveSummary } from '../../ports/backup-driver.js';
import type { InsertOf } from '../../schema/entity.js';
import type { ArchiveRow, archives } from '../../schema/tables.js';

/** The columns that a listing tells. */
export const summaryValues = (archive: ArchiveSummary) => ({
  tool_id: archive.id,
  name: archive.name,
  start: archive.start,
  end: archive.end,
  hostname: archive.hostname,
  username: archive.username,
  comment: archive.comment,
});

/** A new row; sizes where they are known. */
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

/** True when the row already says what the listing says. */
export function saysTheSame(row: ArchiveRow, archive: ArchiveSummary): boolean {
  const told = summaryValues(archive);
  return (Object.keys(told) as (keyof typeof told)[]).every((key) => row[key] === told[key]);
}

/** A repair of the tool writes an archive anew: another id, and all else as it was. */
export const isRemade = (row: ArchiveRow, archive: ArchiveSummary): boolean =>
  row.name === archive.name && row.start === archive.start && row.comment === archive.comment;

/** What stays known of one that was made anew. Whose it is only where nobody else can have put it there. */
export const keptOf = (row: ArchiveRow, isSure: boolean): Partial<ArchiveRow> => ({
  original_size: row.original_size,
  compressed_size: row.compressed_size,
  deduplicated_size: row.deduplicated_size,
  files: row.files,
  lacking: row.lacking,
  partial: row.partial,
  damaged: row.damaged,
  ...(isSure ? { job_id: row.job_id, schedule_id: row.schedule_id } : {}),
});

/** When the archive was finished, as far as known. */
export const finishedAt = ({ start, end }: { start: number; end: number | null }): number => end ?? start;
