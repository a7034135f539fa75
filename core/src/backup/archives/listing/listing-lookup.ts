import { escapeName, spellings } from '../../../foundation/kernel/index.js';
import type { ListedEntry } from '../archive-path.rules.js';
import { baseNameOf, joinPath, parentOf } from '../archive-path.rules.js';
import type { Listing } from './listing.js';
import { type EntryRecord, entryOf } from './listing-format.js';
import { type LargeDirectory, orderKey, PageMap } from './page-plan.js';
import { pagesAhead } from './pages-ahead.js';

export interface FoundEntry extends ListedEntry {
  /** Real path, undecodable bytes as lone surrogates. */
  path: string;
}

export interface FoundDirectory {
  path: string;
  entries: ListedEntry[];
}

export interface FoundRecords {
  path: string;
  /** In the order of listings. */
  records: EntryRecord[];
  /** Of the whole directory. */
  total: number;
}

/** A part of a directory's entries; by default all. */
export interface Range {
  offset?: number;
  limit?: number;
}

/**
 * The entries of a directory, or null without any. Undecodable bytes in paths may be given as they are or
 * escaped; a literal match has priority. Reads only the pages of the range.
 */
export async function recordsBelow(
  listing: Listing,
  path: string,
  range: Range = {},
): Promise<FoundRecords | null> {
  for (const each of spellings(path)) {
    const found = await recordsExactlyBelow(listing, each, range);
    if (found) return found;
  }
  return null;
}

async function recordsExactlyBelow(
  listing: Listing,
  path: string,
  range: Range,
): Promise<FoundRecords | null> {
  const map = new PageMap(listing.header);
  const large = map.large(path);
  if (large) return recordsOfLarge(listing, large, range);
  const { directories } = await listing.page(map.sharedPage(path));
  const found =
    directories.find((each) => each.path === path) ?? directories.find((each) => same(each.path, path));
  if (found) {
    const { offset = 0, limit = Number.POSITIVE_INFINITY } = range;
    const records = found.records();
    return { path: found.path, records: records.slice(offset, offset + limit), total: records.length };
  }
  const written = map.largeWritten(path);
  return written ? recordsOfLarge(listing, written, range) : null;
}

async function recordsOfLarge(
  listing: Listing,
  large: LargeDirectory,
  { offset = 0, limit = Number.POSITIVE_INFINITY }: Range,
): Promise<FoundRecords> {
  const { pages, skip } = large.pagesFrom(offset, limit);
  const records: EntryRecord[] = [];
  for await (const { directories } of pagesAhead(listing, pages)) {
    for (const each of directories) for (const record of each.records()) records.push(record);
  }
  return { path: large.path, records: records.slice(skip, skip + limit), total: large.total };
}

/** The same as entries. */
export async function entriesBelow(listing: Listing, path: string): Promise<FoundDirectory | null> {
  const found = await recordsBelow(listing, path);
  return found && { path: found.path, entries: found.records.map(entryOf) };
}

/** The entry at a path (not the root), or null. One page is read; of a large directory two. */
export async function findEntry(listing: Listing, path: string): Promise<FoundEntry | null> {
  for (const each of spellings(path)) {
    const found = await findExactly(listing, each);
    if (found) return found;
  }
  return null;
}

async function findExactly(listing: Listing, path: string): Promise<FoundEntry | null> {
  const directory = parentOf(path);
  const name = baseNameOf(path);
  const candidates: { directory: string; record: EntryRecord }[] = [];
  for (const number of pagesOfEntry(new PageMap(listing.header), directory, name)) {
    for (const { path: each, records } of (await listing.page(number)).directories) {
      if (!same(each, directory)) continue;
      for (const record of records()) if (same(record[0], name)) candidates.push({ directory: each, record });
    }
  }
  const paths = candidates.map((each) => ({ ...each, path: joinPath(each.directory, each.record[0]) }));
  const best = paths.find((each) => each.path === path) ?? paths[0];
  return best ? { ...entryOf(best.record), path: best.path } : null;
}

function pagesOfEntry(map: PageMap, directory: string, name: string): Set<number> {
  const large = [map.large(directory), map.largeWritten(directory)].filter((each) => each !== undefined);
  const pages = large.flatMap((each) =>
    [true, false].map((isDirectory) => each.pageOf(orderKey(isDirectory, name))),
  );
  return new Set(map.large(directory) ? pages : [map.sharedPage(directory), ...pages]);
}

const same = (real: string, asked: string): boolean =>
  real === asked || (asked.includes('\\udc') && escapeName(real) === asked);
