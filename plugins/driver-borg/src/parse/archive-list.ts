import type { ArchiveDetails, ArchiveStats, ArchiveSummary } from '@holdfast/plugin-api/driver';
import { parseToolTime } from './time.js';

/** The format with which `list --json` includes every field of a summary. */
export const archiveFormat = '{comment}{end}{hostname}{username}';

export interface ToolArchive {
  id: string;
  name: string;
  barchive?: string;
  start: string;
  end?: string;
  comment?: string;
  hostname?: string;
  username?: string;
}

export interface ToolArchiveDetails extends ToolArchive {
  duration: number;
  stats: ToolStats;
  command_line?: string[];
  chunker_params?: (string | number)[] | '';
  limits?: { max_archive_size?: number };
}

interface ToolStats {
  original_size: number;
  compressed_size: number;
  deduplicated_size: number;
  nfiles: number;
}

export const archiveSummary = (archive: ToolArchive): ArchiveSummary => ({
  id: archive.id,
  // The verbatim name keeps bytes that aren't UTF-8.
  name: archive.barchive ?? archive.name,
  start: parseToolTime(archive.start),
  end: archive.end ? parseToolTime(archive.end) : null,
  comment: archive.comment ?? '',
  hostname: archive.hostname ?? '',
  username: archive.username ?? '',
});

const archiveStats = (stats: ToolStats): ArchiveStats => ({
  originalSize: stats.original_size,
  compressedSize: stats.compressed_size,
  deduplicatedSize: stats.deduplicated_size,
  files: stats.nfiles,
});

/** Both 1.2 and 1.4 count each file of a tar stream twice. */
export function detailStats({ stats, command_line }: ToolArchiveDetails): ArchiveStats {
  const files = command_line?.includes('import-tar') ? Math.ceil(stats.nfiles / 2) : stats.nfiles;
  return { ...archiveStats(stats), files };
}

export const archiveDetails = (archive: ToolArchiveDetails): ArchiveDetails => ({
  ...archiveSummary(archive),
  duration: archive.duration,
  stats: detailStats(archive),
  commandLine: archive.command_line ?? [],
  chunkerParams: Array.isArray(archive.chunker_params) ? archive.chunker_params : [],
  maxArchiveSizeUsed: archive.limits?.max_archive_size ?? null,
});
