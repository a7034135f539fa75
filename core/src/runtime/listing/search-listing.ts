import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListedEntry } from '../../domain/archive-entry.js';
import type { Listing } from './listing.js';
import { entryOf } from './listing-format.js';
import type { NameMatcher } from './name-matcher.js';
import { pageCount } from './page-plan.js';
import { pagesAhead } from './pages-ahead.js';

export interface Match {
  directory: string;
  entry: ListedEntry;
}

/** All entries whose names match, in an order that is the same each time. */
export async function* searchListing(
  listing: Listing,
  matcher: NameMatcher,
  signal?: AbortSignal,
): AsyncGenerator<Match> {
  const numbers = Array.from({ length: pageCount(listing.header) }, (_, number) => number);
  // Other requests come in between: there may be very many small listings.
  await nextTurn();
  for await (const page of pagesAhead(listing, numbers)) {
    signal?.throwIfAborted();
    if (!matcher.mayMatch(page.names)) continue;
    for (const { path, records } of page.directories) {
      for (const record of records()) {
        if (matcher.matches(path, record[0])) yield { directory: path, entry: entryOf(record) };
      }
    }
  }
}
