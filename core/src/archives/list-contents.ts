import type { ArchiveContents } from '@holdfast/contracts';
import { parseArchivePath } from './archive-path.rules.js';
import { invalid, notFound } from '../kernel/errors.js';
import type { Listing } from './listing/listing.js';
import { entryOf } from './listing/listing-format.js';
import { type FoundRecords, findEntry, recordsBelow } from './listing/listing-lookup.js';
import { inListingOrder } from './listing/listing-order.js';
import { contentItem, escaped } from './archive-view.js';
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
    const { records, inOrder } = directory;
    const total = records.length;
    const wanted = (inOrder ? records : inListingOrder(records)).slice(
      offset,
      limit === 0 ? total : offset + limit,
    );
    const items = wanted.map((record) => contentItem(directory.path, entryOf(record)));
    return { success: true, items, total, ...escaped({ path: directory.path }) };
  };
};

async function directoryAt(listing: Listing, path: string): Promise<FoundRecords> {
  const found = await recordsBelow(listing, path);
  if (found) return found;
  if (path === '') return { path, records: [], inOrder: true };
  const entry = await findEntry(listing, path);
  if (!entry) throw notFound(`The archive has no directory ${path}.`);
  if (entry.type !== 'directory') throw invalid(`${path} is a ${entry.type}, not a directory.`);
  return { path: entry.path, records: [], inOrder: true };
}
