import { escapeName } from '../../kernel/index.js';
import type { ListedEntry } from '../archive-path.rules.js';
import { baseNameOf, joinPath, parentOf } from '../archive-path.rules.js';
import type { Listing } from './listing.js';
import { type EntryRecord, entryOf } from './listing-format.js';
import { PageMap } from './page-plan.js';
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
  records: EntryRecord[];
  /** They are in the order of listings, as those of one page are. */
  inOrder: boolean;
}

/**
 * What lies in a directory; null when nothing does. Paths may be given as they are or with undecodable bytes in
 * their escaped form; a name that really is written so goes first.
 */
export async function recordsBelow(listing: Listing, path: string): Promise<FoundRecords | null> {
  const map = new PageMap(listing.header);
  const found = new Map<string, EntryRecord[]>();
  const pages = map.pagesOf(path);
  for await (const page of pagesAhead(listing, pages)) {
    for (const { path: directory, records } of page.directories) {
      if (!same(directory, path)) continue;
      const known = found.get(directory);
      if (known) for (const record of records()) known.push(record);
      else found.set(directory, records());
    }
  }
  const [first] = [...found.keys()].sort((a, b) => Number(b === path) - Number(a === path));
  if (first === undefined) return null;
  return { path: first, records: found.get(first) ?? [], inOrder: pages.length === 1 };
}

/** The same as entries. */
export async function entriesBelow(listing: Listing, path: string): Promise<FoundDirectory | null> {
  const found = await recordsBelow(listing, path);
  return found && { path: found.path, entries: found.records.map(entryOf) };
}

/** The entry at a path (not the root), or null. One page is read. */
export async function findEntry(listing: Listing, path: string): Promise<FoundEntry | null> {
  const directory = parentOf(path);
  const name = baseNameOf(path);
  const page = await listing.page(new PageMap(listing.header).pageOf(directory, name));
  const candidates: { directory: string; record: EntryRecord }[] = [];
  for (const { path: each, records } of page.directories) {
    if (!same(each, directory)) continue;
    for (const record of records()) if (same(record[0], name)) candidates.push({ directory: each, record });
  }
  const paths = candidates.map((each) => ({ ...each, path: joinPath(each.directory, each.record[0]) }));
  const best = paths.find((each) => each.path === path) ?? paths[0];
  return best ? { ...entryOf(best.record), path: best.path } : null;
}

const same = (real: string, asked: string): boolean =>
  real === asked || (asked.includes('\\udc') && escapeName(real) === asked);
