import { setTimeout as pause } from 'node:timers/promises';
import type { ArchiveContents, ListingState } from '@holdfast/contracts';
import type { EventRow } from '../../foundation/events/index.js';
import {
  AppError,
  invalid,
  isAppError,
  isoTime,
  type Message,
  notFound,
  say,
} from '../../foundation/kernel/index.js';
import { parseArchivePath } from './archive-path.rules.js';
import {
  type ArchiveNeeds,
  type ArchiveSelector,
  contentItem,
  escaped,
  type FoundArchive,
  findArchive,
} from './archives.js';
import type { ArchiveListings } from './listing/archive-listings.js';
import type { Listing } from './listing/listing.js';
import { entryOf } from './listing/listing-format.js';
import { type FoundRecords, findEntry, type Range, recordsBelow } from './listing/listing-lookup.js';
import { indexOf } from './memory/remember.js';
import type { ArchivesNeeds } from './needs.js';
import { readWithTool } from './read-with-tool.js';

export interface ContentsQuery {
  path: string;
  /** 0: all. */
  limit?: number;
  offset?: number;
}

/**
 * The entries of one directory in an archive. Throws AppError `not_found`; `invalid` when the path is not a
 * directory.
 */
export async function listContents(
  needs: ArchiveNeeds & ListingNeeds,
  { path: asked, limit = 0, offset = 0, ...selector }: ArchiveSelector & ContentsQuery,
  signal?: AbortSignal,
): Promise<ArchiveContents> {
  const path = parseArchivePath(asked, 'path');
  const found = await findArchive(needs, selector);
  const range = { offset, limit: limit || Number.POSITIVE_INFINITY };
  const directory = await readListing(needs, found, (listing) => directoryAt(listing, path, range), signal);
  const { records, total } = directory;
  const items = records.map((record) => contentItem(directory.path, entryOf(record)));
  return { success: true, items, total, ...escaped({ path: directory.path }) };
}

async function directoryAt(listing: Listing, path: string, range: Range): Promise<FoundRecords> {
  const found = await recordsBelow(listing, path, range);
  if (found) return found;
  if (path === '') return { path, records: [], total: 0 };
  const entry = await findEntry(listing, path);
  if (!entry) throw notFound(say`archive_directory_unknown: The archive has no directory ${{ path }}.`);
  if (entry.type !== 'directory')
    throw invalid(
      say`archive_path_not_directory: ${{ path }} is a ${{ type: entry.type }}, not a directory.`,
    );
  return { path: entry.path, records: [], total: 0 };
}

export type ListingNeeds = ArchivesNeeds & { listings: ArchiveListings };

/**
 * Calls `use` with the listing of an archive, from the cache, or built from the index or with the tool. `signal`: the caller has gone.
 */
export async function readListing<T>(
  needs: ListingNeeds,
  { repository, archive }: Pick<FoundArchive, 'repository' | 'archive'>,
  use: (listing: Listing) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const { name } = archive;
  try {
    return await needs.listings.read<T>({
      archive,
      epoch: repository.cache_epoch,
      use,
      signal,
      readEntries: async (collect, building) => {
        const indexed = await indexOf(needs, repository);
        if (indexed?.holds.has(archive.tool_id))
          return collect(indexed.index.entries(archive.tool_id, building));
        return readWithTool(needs, repository, {
          what: `listing of archive ${name}`,
          signal: building,
          work: (target, options) => collect(needs.driver.listEntries(target, { archive: name }, options)),
        });
      },
    });
  } catch (error) {
    throw folderError(error);
  }
}

/** Whether an archive can be browsed without waiting, and the progress of a listing that is being built. */
export async function getListingState(
  needs: ArchiveNeeds & ListingNeeds,
  selector: ArchiveSelector,
): Promise<ListingState> {
  const { repository, archive } = await findArchive(needs, selector);
  const request = { archive, epoch: repository.cache_epoch };
  const running = needs.listings.running(request);
  const state = running ? 'building' : (await needs.listings.isCached(request)) ? 'cached' : 'absent';
  return {
    success: true,
    archive: archive.name,
    state,
    started_at: isoTime(running?.startedAt ?? null),
    entries: running?.entries ?? null,
    percent: state === 'cached' ? 100 : running && percentOf(running.entries, archive.files),
    expected_files: archive.files,
  };
}

/** Entries include directories, files do not. At most 99, because the entries are sorted at the end. */
const percentOf = (entries: number, files: number | null): number | null =>
  files === null ? null : Math.min(99, Math.floor((100 * entries) / Math.max(1, files)));

type Needs = ArchiveNeeds & ListingNeeds & ArchivesNeeds;

const tries = 10;
const pauseMs = 30_000;

/**
 * Builds the listing of each new archive after its backup, one at a time, if the settings say so. Retries when the
 * repository is in use. Returns a function that stops this and cancels the current build.
 */
export function warmListings(needs: Needs): () => void {
  const { events, cacheControl, log } = needs;
  const ending = new AbortController();
  let last = Promise.resolve();
  const unfollow = events.follow(['archives_changed'], (event) => {
    if (!cacheControl.choice.warmAfterBackup) return;
    for (const archive of addedByBackup(event)) {
      last = last
        .then(() => warmOne(needs, ending.signal, event.repository_id, archive))
        .catch((error: unknown) => {
          if (!ending.signal.aborted) log.info('a listing was not built in advance', { archive, error });
        });
    }
  });
  return () => {
    unfollow();
    ending.abort();
  };
}

function addedByBackup({ job_id, data }: EventRow): string[] {
  return job_id !== null && Array.isArray(data.added) ? data.added.map(String) : [];
}

async function warmOne(
  needs: Needs,
  signal: AbortSignal,
  repositoryId: number | null,
  archive: string,
): Promise<void> {
  if (repositoryId === null) return;
  for (let left = tries; ; left--) {
    signal.throwIfAborted();
    try {
      const found = await findArchive(needs, { repository_id: repositoryId, archive });
      return await readListing(needs, found, async () => undefined, signal);
    } catch (error) {
      if (left === 0 || !isAppError(error) || error.code !== 'conflict') throw error;
      await pause(pauseMs, undefined, { signal, ref: false });
    }
  }
}

const folderFull = say`data_folder_full: The listing can't be created: the data folder of Holdfast has no space left.`;
const folderLocked = say`data_folder_not_writable: The listing can't be created: the data folder of Holdfast can't be written to.`;

/** Temporary problems of the data folder, by the error code of the file system. */
const folderProblems: Record<string, Message> = {
  ENOSPC: folderFull,
  EDQUOT: folderFull,
  EROFS: say`data_folder_read_only: The listing can't be created: the data folder of Holdfast is read-only.`,
  EACCES: folderLocked,
  EPERM: folderLocked,
  EIO: say`data_folder_disk_faulty: The listing can't be created: the data folder of Holdfast can't be written to because its disk reports errors.`,
  EMFILE: say`service_open_files_too_many: The listing can't be created: the data folder of Holdfast can't be opened because Holdfast has too many open files.`,
  ENFILE: say`machine_open_files_too_many: The listing can't be created: the data folder of Holdfast can't be opened because this server has too many open files.`,
};

/** The AppError for a problem with the data folder. Other errors are returned unchanged. */
function folderError(error: unknown): unknown {
  const { code = '', syscall } = (error ?? {}) as NodeJS.ErrnoException;
  // Node reports this code when it can't create folders recursively on a read-only disk.
  const problem = code === 'ENOENT' && syscall === 'mkdir' ? folderProblems.EROFS : folderProblems[code];
  return problem === undefined ? error : new AppError('unavailable', problem, { cause: error });
}
