import type { ListingHeader } from './listing-format.js';
import type { ListingPage } from './listing-page.js';

/** A whole listing of an archive, wherever its pages lie. */
export interface Listing {
  header: ListingHeader;
  /** Rejects with MissingPageError when the page is not to be had any more. */
  page(number: number): Promise<ListingPage>;
}

export class MissingPageError extends Error {
  override readonly name = 'MissingPageError';
}
