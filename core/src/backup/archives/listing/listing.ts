import type { ListingHeader } from './listing-format.js';
import type { ListingPage } from './listing-page.js';

/** A complete listing of an archive, independent of where its pages are stored. */
export interface Listing {
  header: ListingHeader;
  /** Rejects with MissingPageError when the page is not to be had any more. */
  page(number: number): Promise<ListingPage>;
}

export class MissingPageError extends Error {
  override readonly name = 'MissingPageError';
}
