import type { ArchiveComparison } from '@holdfast/contracts';
import { compareListings, type Difference } from './listing/compare-listings.js';
import type { Listing } from './listing/listing.js';
import { escaped } from './archive-view.js';
import { isoTime } from '../kernel/iso-time.js';
import { type ArchiveNeeds, type ArchiveSelector, findArchive } from './find-archive.js';
import { type ListingNeeds, readListing } from './read-listing.js';

type Item = ArchiveComparison['items'][number];

export interface ComparisonInput extends ArchiveSelector {
  /** The archive that is compared with. */
  with: string;
  offset: number;
  limit: number;
}

/** What changed from one archive to another of the same repository. AppError `not_found`. */
export const compareArchives = (needs: ArchiveNeeds & ListingNeeds) => {
  const find = findArchive(needs);
  const read = readListing(needs);
  return async (input: ComparisonInput, signal?: AbortSignal): Promise<ArchiveComparison> => {
    const before = await find(input);
    const after = await find({ ...input, archive: input.with });
    const compared = await read(
      before,
      (older) => read(after, (newer) => compare([older, newer], input, signal), signal),
      signal,
    );
    return { success: true, archive: before.archive.name, with: after.archive.name, ...compared };
  };
};

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
