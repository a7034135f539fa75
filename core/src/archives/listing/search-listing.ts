import type { ListedEntry } from '../archive-entry.rules.js';
import type { Listing } from './listing.js';
import { entryOf } from './listing-format.js';
import type { NameMatcher } from './name-matcher.js';
import { pageCount } from './page-plan.js';
import { pagesAhead } from './pages-ahead.js';
import type { SearchTime } from './search-time.js';

export interface Match {
  directory: string;
  entry: ListedEntry;
}

/**
 * All entries whose names match, in an order that is the same each time. Ends early when the time of the search is over;
 * others come in between.
 */
export async function* searchListing(
  listing: Listing,
  { matcher, time, signal }: { matcher: NameMatcher; time: SearchTime; signal?: AbortSignal | undefined },
): AsyncGenerator<Match> {
  const numbers = Array.from({ length: pageCount(listing.header) }, (_, number) => number);
  // There may be very many small listings.
  await time.rest();
  try {
    for await (const page of pagesAhead(listing, numbers)) {
      time.begin();
      signal?.throwIfAborted();
      for (const { path, records } of matcher.mayMatch(page.names) ? page.directories : []) {
        for (const record of records()) {
          if (time.isTurnOver) await time.rest();
          signal?.throwIfAborted();
          if (time.isOver) return;
          if (matcher.matches(path, record[0])) yield { directory: path, entry: entryOf(record) };
        }
      }
      time.end();
    }
  } finally {
    time.end();
  }
}
