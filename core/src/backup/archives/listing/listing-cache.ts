import type { CacheStore, Log } from '@holdfast/plugin-api';
import type { BuiltListing } from './build-listing.fs.js';
import { type Listing, MissingPageError } from './listing.js';
import { decodeValue, encodeValue, type ListingHeader, listingFormat, pageKey } from './listing-format.js';
import { type ListingPage, unpackPage } from './listing-page.js';
import { pageCount } from './page-plan.js';

export interface ListingCacheOptions {
  cache: CacheStore;
  log: Log;
  /** Seconds that an entry lives from now on. */
  lifetime(): number;
}

/** Which listing is meant, of all that were ever kept under its key. */
export interface ListingMark {
  archiveId: string;
  epoch: number;
}

/** Number of pages compressed at once; the compression runs outside of this thread. */
const packedAtOnce = 2;

/**
 * Listings in the cache. The cache may evict, refuse or fail at any time; the listing is then just missing.
 */
export class ListingCache {
  constructor(private readonly options: ListingCacheOptions) {}

  /** The listing under this key when it is one of exactly this archive. */
  async find(key: string, { archiveId, epoch }: ListingMark): Promise<Listing | null> {
    const header = headerIn(await this.#get(key));
    if (header?.format !== listingFormat || header.archiveId !== archiveId) return null;
    if (header.epoch !== epoch) return null;
    return { header, page: (number) => this.#page(key, header.build, number) };
  }

  /** The header comes last, so that half of a listing is never taken for one. */
  async store(key: string, listing: BuiltListing, signal: AbortSignal): Promise<void> {
    const count = pageCount(listing.header);
    for (let page = 0; page < count; page += packedAtOnce) {
      signal.throwIfAborted();
      const numbers = Array.from(
        { length: Math.min(packedAtOnce, count - page) },
        (_, index) => page + index,
      );
      const kept = await Promise.all(
        numbers.map(async (number) => this.#set(pageKey(key, number), await listing.packed(number))),
      );
      if (kept.includes(false)) return;
    }
    await this.#set(key, Buffer.from(JSON.stringify(listing.header)));
  }

  async #page(key: string, build: string, number: number): Promise<ListingPage> {
    const page = pageIn(await this.#get(pageKey(key, number)));
    if (page?.build !== build) throw new MissingPageError(`Page ${number} is not in the cache.`);
    return page;
  }

  async #get(key: string): Promise<Buffer | null> {
    try {
      return await decodeValue(await this.options.cache.get(key));
    } catch (error) {
      this.options.log.warn('the cache could not be read', { error });
      return null;
    }
  }

  async #set(key: string, content: Buffer): Promise<boolean> {
    const { cache, lifetime, log } = this.options;
    try {
      return (await cache.set(key, await encodeValue(content), lifetime() * 1000)) !== false;
    } catch (error) {
      log.warn('the cache could not be written', { error });
      return false;
    }
  }
}

function headerIn(content: Buffer | null): ListingHeader | null {
  try {
    return content && (JSON.parse(content.toString()) as ListingHeader);
  } catch {
    return null;
  }
}

function pageIn(content: Buffer | null): ListingPage | null {
  try {
    return content && unpackPage(content);
  } catch {
    return null;
  }
}
