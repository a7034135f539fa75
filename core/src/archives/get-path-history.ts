import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PathHistory } from '@holdfast/contracts';
import type { ListedEntry } from './archive-entry.rules.js';
import { parseArchivePath } from './archive-path.rules.js';
import { invalid, notFound } from '../kernel/errors.js';
import { isChanged } from './listing/compare-listings.js';
import { findEntry } from './listing/listing-lookup.js';
import type { ArchiveRow } from '../schema/tables.js';
import { escaped } from './archive-view.js';
import { isoTime } from '../kernel/iso-time.js';
import { currentInventory } from '../repositories/inventory/current-inventory.js';
import { findRepository, type RepositorySelector } from '../repositories/find-repository.js';
import type { ArchiveNeeds } from './find-archive.js';
import { type ListingNeeds, readListing } from './read-listing.js';

type Step = PathHistory['history'][number];

/** When a path appeared, changed and vanished, archive by archive. AppError `not_found` when it never was there. */
export const getPathHistory = (needs: ArchiveNeeds & ListingNeeds) => {
  const inventoryOf = currentInventory(needs);
  const read = readListing(needs);
  return async (
    { path: asked, ...selector }: RepositorySelector & { path: string },
    signal?: AbortSignal,
  ): Promise<PathHistory> => {
    const path = parseArchivePath(asked, 'path');
    if (path === '') throw invalid('path is the root of the archives: name something in them.');
    const { repository, archives } = await inventoryOf(await findRepository(needs.storage, selector));
    const history: Step[] = [];
    let last: ListedEntry | null = null;
    for (const archive of archives) {
      // Other requests come in between.
      await nextTurn();
      signal?.throwIfAborted();
      const entry = await read({ repository, archive }, (listing) => findEntry(listing, path), signal);
      const state = stateOf(last, entry);
      if (state) history.push(stepOf(archive, state, entry));
      last = entry;
    }
    if (history.length === 0) throw notFound(`No archive of repository ${repository.name} has ${path}.`);
    return { success: true, ...escaped({ path }), archives: archives.length, history };
  };
};

function stateOf(before: ListedEntry | null, after: ListedEntry | null): Step['state'] | null {
  if (!after) return before ? 'vanished' : null;
  if (!before) return 'appeared';
  return isChanged(before, after) ? 'changed' : null;
}

const stepOf = (archive: ArchiveRow, state: Step['state'], entry: ListedEntry | null): Step => ({
  state,
  archive: archive.name,
  archive_id: archive.tool_id,
  start: isoTime(archive.start),
  ...(entry && { type: entry.type, size: entry.size, mtime: isoTime(entry.mtime) }),
});
