import type { ArchiveFileView, ArchiveInfo, ArchiveView, ContentItem } from '@holdfast/contracts';
import type { ListedEntry } from './archive-entry.rules.js';
import { joinPath } from './archive-path.rules.js';
import { escapeName, hasUndecodable } from '../kernel/lossless-name.rules.js';
import type { ArchiveDetails, ArchiveEntry } from '../ports/backup-driver.js';
import type { ArchiveRow, RepositoryRow } from '../schema/tables.js';
import { isoTime } from '../kernel/iso-time.js';

export function archiveView(row: ArchiveRow): ArchiveView {
  return {
    id: row.tool_id,
    name: row.name,
    archive: row.name,
    start: isoTime(row.start),
    time: isoTime(row.start),
    end: isoTime(row.end),
    hostname: row.hostname,
    username: row.username,
    comment: row.comment,
    original_size: row.original_size,
    compressed_size: row.compressed_size,
    deduplicated_size: row.deduplicated_size,
    nfiles: row.files,
    damaged: row.damaged,
  };
}

export function archiveInfoView(
  details: ArchiveDetails,
  {
    repository,
    lastModified,
    damaged,
  }: { repository: RepositoryRow; lastModified: number | null; damaged: boolean },
): ArchiveInfo {
  const { stats } = details;
  return {
    name: details.name,
    id: details.id,
    start: isoTime(details.start),
    end: isoTime(details.end),
    duration: details.duration,
    stats: {
      original_size: stats.originalSize,
      compressed_size: stats.compressedSize,
      deduplicated_size: stats.deduplicatedSize,
      nfiles: stats.files,
    },
    command_line: details.commandLine,
    hostname: details.hostname,
    username: details.username,
    chunker_params: details.chunkerParams,
    limits: { max_archive_size: details.maxArchiveSizeUsed },
    comment: details.comment,
    repository: {
      id: repository.tool_id,
      last_modified: isoTime(lastModified),
      location: repository.path,
    },
    encryption: { mode: repository.encryption },
    file_count: stats.files,
    damaged,
  };
}

/** `size` stands in for the entry's own, which is 0 for a further name of a hard-linked file. */
export function archiveFileView(entry: ArchiveEntry, size: number): ArchiveFileView {
  const mode = entry.mode.replace(/^h/, '-');
  return {
    ...escaped({ path: entry.path }),
    type: mode.charAt(0) || '-',
    mode,
    user: entry.user,
    group: entry.group,
    size,
    mtime: isoTime(entry.mtime),
    healthy: entry.healthy,
  };
}

/** Written out, for there may be very many of them. */
export function contentItem(directory: string, entry: ListedEntry): ContentItem {
  const { name, type, size, symlinkTarget, hardLinkTarget, healthy } = entry;
  const path = joinPath(directory, name);
  const mtime = isoTime(entry.mtime);
  const item: ContentItem = { name, path, type, size, mtime, healthy };
  if (hasUndecodable(name) || hasUndecodable(directory)) Object.assign(item, escaped({ name, path }));
  if (symlinkTarget !== null) item.symlink_target = escapeName(symlinkTarget);
  if (hardLinkTarget !== null) item.hard_link_target = escapeName(hardLinkTarget);
  return item;
}

/** The names as they go over the wire, with the mark where one had to be escaped. */
export function escaped<T extends Record<string, string>>(names: T): T & { name_escaped?: true } {
  if (!Object.values(names).some(hasUndecodable)) return names;
  const wire = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, escapeName(name)]));
  return { ...(wire as T), name_escaped: true };
}
