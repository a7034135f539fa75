import type { ArchiveContents } from '@holdfast/contracts';
import type { ListedEntry } from '../../domain/archive-entry.js';
import { parseArchivePath } from '../../domain/archive-path.js';
import { invalid, notFound } from '../../errors.js';
import type { Listing } from '../../runtime/listing/listing.js';
import { entriesBelow, type FoundDirectory, findEntry } from '../../runtime/listing/listing-lookup.js';
import { contentItem, escaped } from '../../views/archive-view.js';
import { type ArchiveNeeds, type ArchiveSelector, findArchive } from './find-archive.js';
import { type ListingNeeds, readListing } from './read-listing.js';

export interface ContentsQuery {
  path: string;
  /** 0: all. */
  limit?: number;
  offset?: number;
}

/** One directory of an archive. AppError `not_found`; `invalid` when the path is no directory. */
export const listContents = (needs: ArchiveNeeds & ListingNeeds) => {
  const find = findArchive(needs);
  const read = readListing(needs);
  return async (
    { path: asked, limit = 0, offset = 0, ...selector }: ArchiveSelector & ContentsQuery,
    signal?: AbortSignal,
  ): Promise<ArchiveContents> => {
    const path = parseArchivePath(asked, 'path');
    const found = await find(selector);
    const directory = await read(found, (listing) => directoryAt(listing, path), signal);
    const total = directory.entries.length;
    const wanted = inOrder(directory.entries).slice(offset, limit === 0 ? total : offset + limit);
    const items = wanted.map((entry) => contentItem(directory.path, entry));
    return { success: true, items, total, ...escaped({ path: directory.path }) };
  };
};

async function directoryAt(listing: Listing, path: string): Promise<FoundDirectory> {
  const found = await entriesBelow(listing, path);
  if (found) return found;
  if (path === '') return { path, entries: [] };
  const entry = await findEntry(listing, path);
  if (!entry) throw notFound(`The archive has no directory ${path}.`);
  if (entry.type !== 'directory') throw invalid(`${path} is a ${entry.type}, not a directory.`);
  return { path: entry.path, entries: [] };
}

/** Directories first, then by name without regard to case. */
function inOrder(entries: ListedEntry[]): ListedEntry[] {
  return entries
    .map((entry) => ({ entry, rank: entry.type === 'directory' ? 0 : 1, folded: entry.name.toLowerCase() }))
    .sort((a, b) => a.rank - b.rank || compare(a.folded, b.folded) || compare(a.entry.name, b.entry.name))
    .map(({ entry }) => entry);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
