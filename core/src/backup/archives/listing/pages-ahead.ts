import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Listing } from './listing.js';
import type { ListingPage } from './listing-page.js';

/** So many pages are fetched and unpacked while earlier ones are looked through. */
const ahead = 4;

/** Pages of a listing, in the given order. Other requests come in between: pages may be unpacked without any wait. */
export async function* pagesAhead(listing: Listing, numbers: readonly number[]): AsyncGenerator<ListingPage> {
  const coming: Promise<ListingPage>[] = [];
  let next = 0;
  const more = () => {
    const number = numbers[next++];
    if (number === undefined) return;
    const page = listing.page(number);
    // Reported when its turn comes, or never if an earlier page fails.
    page.catch(() => undefined);
    coming.push(page);
  };
  for (let n = 0; n < ahead; n++) more();
  for (let page = coming.shift(); page; page = coming.shift()) {
    const value = await page;
    more();
    yield value;
    if (coming.length > 0) await nextTurn();
  }
}
