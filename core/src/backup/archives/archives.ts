import type { ArchiveFileView, ArchiveInfo, ContentItem } from '@holdfast/contracts';
import {
  type ArchiveDetails,
  type ArchiveEntry,
  isDriverError,
  type RepositoryTarget,
} from '@holdfast/plugin-api/driver';
import type { JobContext } from '../../engine/jobs/index.js';
import { escapeName, hasUndecodable, isoTime, notFound, say } from '../../foundation/kernel/index.js';
import {
  currentArchive,
  findRepository,
  livePins,
  noteSizes,
  pinView,
  type RepositorySelector,
  refreshInventory,
} from '../repositories/index.js';
import { type ArchiveRow, archives, type RepositoryRow } from '../repositories/tables.js';
import { joinPath, type ListedEntry } from './archive-path.rules.js';
import type { ArchivesNeeds } from './needs.js';
import { readWithTool } from './read-with-tool.js';
import { toolFailure } from './tool-failure.js';

export interface ArchiveInfoQuery extends ArchiveSelector {
  include_files: boolean;
  file_limit: number;
}

/**
 * The details of one archive from the tool, with its first entries on request. Throws AppError `not_found`,
 * `conflict`.
 */
export async function getArchive(
  needs: ArchiveNeeds,
  { include_files, file_limit, ...selector }: ArchiveInfoQuery,
  signal?: AbortSignal,
): Promise<{ success: true; info: ArchiveInfo }> {
  const { repository, archive } = await findArchive(needs, selector);
  const inventory = await needs.storage.find(archives, { where: { repository_id: repository.id } });
  const input = { archive: archive.name };
  const { details, files } = await readWithTool(needs, repository, {
    what: `info of archive ${archive.name}`,
    signal,
    work: async (target, options) => {
      const { value } = await needs.driver.archiveInfo(target, input, options);
      if (!include_files) return { details: value, files: undefined };
      const entries = needs.driver.listEntries(target, input, options);
      return { details: value, files: await firstFiles(entries, file_limit) };
    },
  });
  if (archive.original_size === null)
    await noteSizes(needs.storage, archive, { stats: details.stats, at: needs.clock.now() });
  const lastModified = Math.max(0, ...inventory.map((row) => row.end ?? row.start)) || null;
  const pins = await livePins(needs.storage, repository, needs.clock.now());
  const pinned = pinView(pins.get(archive.tool_id));
  const info = {
    ...archiveInfoView(details, { repository, lastModified, damaged: archive.damaged }),
    pinned,
  };
  return { success: true, info: files ? { ...info, files } : info };
}

/** The first name of a hard-linked file comes before the others, so its size is already known. */
async function firstFiles(entries: AsyncIterable<ArchiveEntry[]>, limit: number): Promise<ArchiveFileView[]> {
  const files: ArchiveFileView[] = [];
  const sizes = new Map<string, number>();
  for await (const batch of entries) {
    for (const entry of batch.slice(0, limit - files.length)) {
      const size = (entry.hardLinkTarget !== null && sizes.get(entry.hardLinkTarget)) || entry.size;
      if (!sizes.has(entry.path)) sizes.set(entry.path, size);
      files.push(archiveFileView(entry, size));
    }
    if (files.length >= limit) break;
  }
  return files;
}

export type ArchiveNeeds = Pick<
  ArchivesNeeds,
  'storage' | 'events' | 'clock' | 'driver' | 'secrets' | 'redactor' | 'lanes' | 'log'
>;

export interface ArchiveSelector extends RepositorySelector {
  /** The name of the archive; 64 hex digits that are not a name are treated as the tool's id. */
  archive: string;
}

export interface FoundArchive {
  repository: RepositoryRow;
  archive: ArchiveRow;
}

/** When an archive is missing, an inventory younger than this is trusted. */
const sureForMs = 5_000;

/** Finds an archive in the inventory, which is refreshed before the answer is 404 if that is possible at once. */
export async function findArchive(
  needs: ArchiveNeeds,
  { archive, ...selector }: ArchiveSelector,
): Promise<FoundArchive> {
  const repository = await findRepository(needs.storage, selector);
  let found = await currentArchive(needs, repository, archive);
  if (!found.archive && needs.clock.now() - (found.asOf ?? 0) > sureForMs) {
    await refreshNow(needs, repository, () => refreshInventory(needs, repository));
    found = await currentArchive(needs, await findRepository(needs.storage, selector), archive);
  }
  if (!found.archive) {
    throw notFound(
      say`archive_unknown: Repository ${{ repository: repository.name }} has no archive ${{ archive }}: see GET /api/archives/list.`,
    );
  }
  return { repository: found.repository, archive: found.archive };
}

/** When the lane is busy, the rows stay unchanged. A failure of the tool is thrown, because the archive may exist. */
async function refreshNow(needs: ArchiveNeeds, repository: RepositoryRow, refresh: () => Promise<void>) {
  try {
    await needs.lanes.withLane(repository.id, 'archive list', refresh, 0);
  } catch (error) {
    if (isDriverError(error) && !isDriverError(error, 'locked')) throw toolFailure(error);
    needs.log.info('the archive list could not be refreshed', { repository: repository.id, error });
  }
}

function archiveInfoView(
  details: ArchiveDetails,
  {
    repository,
    lastModified,
    damaged,
  }: { repository: RepositoryRow; lastModified: number | null; damaged: boolean },
): Omit<ArchiveInfo, 'pinned'> {
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

/** `size` replaces the size of the entry, which is 0 for another name of a hard-linked file. */
function archiveFileView(entry: ArchiveEntry, size: number): ArchiveFileView {
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

/** Written without spreads for speed, as there may be a great many items. */
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

/** The names as sent to clients, with `name_escaped` when one had to be escaped. */
export function escaped<T extends Record<string, string>>(names: T): T & { name_escaped?: true } {
  if (!Object.values(names).some(hasUndecodable)) return names;
  const wire = Object.fromEntries(Object.entries(names).map(([key, name]) => [key, escapeName(name)]));
  return { ...(wire as T), name_escaped: true };
}

/**
 * Bytes on disk after archives were removed. Null when the size can't be read: the job does not fail, because the
 * archives are already gone.
 */
export async function readStoredSize(
  { driver }: Pick<ArchivesNeeds, 'driver'>,
  context: JobContext,
  target: RepositoryTarget,
): Promise<number | null> {
  try {
    return (await driver.open(target, {}, context.toolOptions())).value.storedSize;
  } catch (error) {
    if (!isDriverError(error)) throw error;
    context.log({ level: 'warning', text: `The size of the repository could not be read: ${error.message}` });
    return null;
  }
}
