import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArchiveComparison, PathHistory } from '@holdfast/contracts';
import { invalid, isoTime, notFound, say } from '../../foundation/kernel/index.js';
import { currentInventory, findRepository, type RepositorySelector } from '../repositories/index.js';
import type { ArchiveRow } from '../repositories/tables.js';
import { type ListedEntry, parseArchivePath } from './archive-path.rules.js';
import { type ArchiveNeeds, type ArchiveSelector, escaped, findArchive } from './archives.js';
import { type ListingNeeds, readListing } from './browse.js';
import { compareListings, type Difference, isChanged } from './listing/compare-listings.js';
import type { Listing } from './listing/listing.js';
import { findEntry } from './listing/listing-lookup.js';

type Item = ArchiveComparison['items'][number];

export interface ComparisonInput extends ArchiveSelector {
  /** The archive to compare with. */
  with: string;
  offset: number;
  limit: number;
}

/** The changes from one archive to another one in the same repository. Throws AppError `not_found`. */
export async function compareArchives(
  needs: ArchiveNeeds & ListingNeeds,
  input: ComparisonInput,
  signal?: AbortSignal,
): Promise<ArchiveComparison> {
  const before = await findArchive(needs, input);
  const after = await findArchive(needs, { ...input, archive: input.with });
  const compared = await readListing(
    needs,
    before,
    (older) => readListing(needs, after, (newer) => compare([older, newer], input, signal), signal),
    signal,
  );
  return { success: true, archive: before.archive.name, with: after.archive.name, ...compared };
}

async function compare(
  [older, newer]: [Listing, Listing],
  { offset, limit }: ComparisonInput,
  signal?: AbortSignal,
) {
  const counts = { added: 0, removed: 0, changed: 0 };
  const items: Item[] = [];
  let seen = 0;
  for await (const difference of compareListings(older, newer, signal)) {
    const item = itemOf(difference);
    counts[item.change]++;
    if (seen >= offset && items.length < limit) items.push(item);
    seen++;
  }
  return { ...counts, items, truncated: seen > offset + items.length };
}

function itemOf({ path, before, after }: Difference): Item {
  const entry = (after ?? before) as NonNullable<typeof after>;
  return {
    ...escaped({ path }),
    change: before ? (after ? 'changed' : 'removed') : 'added',
    type: entry.type,
    before: before && { type: before.type, size: before.size, mtime: isoTime(before.mtime) },
    after: after && { type: after.type, size: after.size, mtime: isoTime(after.mtime) },
  };
}

type Step = PathHistory['history'][number];

/**
 * When a path appeared, changed and vanished, archive by archive. Throws AppError `not_found` when no archive has it.
 */
export async function getPathHistory(
  needs: ArchiveNeeds & ListingNeeds,
  { path: asked, ...selector }: RepositorySelector & { path: string },
  signal?: AbortSignal,
): Promise<PathHistory> {
  const path = parseArchivePath(asked, 'path');
  if (path === '')
    throw invalid(say`history_of_root: path is the root of the archives: give a path below it.`);
  const { repository, archives } = await currentInventory(
    needs,
    await findRepository(needs.storage, selector),
  );
  const history: Step[] = [];
  let last: ListedEntry | null = null;
  for (const archive of archives) {
    // Let other requests run.
    await nextTurn();
    signal?.throwIfAborted();
    const entry = await readListing(
      needs,
      { repository, archive },
      (listing) => findEntry(listing, path),
      signal,
    );
    const state = stateOf(last, entry);
    if (state) history.push(stepOf(archive, state, entry));
    last = entry;
  }
  if (history.length === 0)
    throw notFound(
      say`path_in_no_archive: No archive of repository ${{ repository: repository.name }} has ${{ path }}.`,
    );
  return { success: true, ...escaped({ path }), archives: archives.length, history };
}

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
