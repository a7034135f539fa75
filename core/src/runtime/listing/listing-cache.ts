import type { CacheStore } from '../../ports/cache.js';
import type { Log } from '../../ports/services.js';
import { type Listing, MissingPageError } from './listing.js';
import { type ListingHeader, type ListingPage, listingFormat, pageKey } from './listing-format.js';
import { pageCount } from './page-plan.js';
import { decodeValue, encodeValue } from './page-value.js';

export interface ListingCacheOptions {
  cache: CacheStore;
  log: Log;
  ttlSeconds: number;
}

/**
 * Listings in the cache. The cache may forget, refuse or fail at any time: then a listing isn't there, and nothing
 * else happens.
 */
export class ListingCache {
  constructor(private readonly options: ListingCacheOptions) {}

  /** The listing under this key when it is one of exactly this archive. */
  async find(key: string, archiveId: string): Promise<Listing | null> {
    const header = (await this.#get(key)) as ListingHeader | null;
    if (header?.format !== listingFormat || header.archiveId !== archiveId) return null;
    return { header, page: (number) => this.#page(key, header.build, number) };
  }

  /** The header comes last, so that half of a listing is never taken for one. */
  async store(key: string, listing: Listing, signal: AbortSignal): Promise<void> {
    for (let page = 0; page < pageCount(listing.header); page++) {
      signal.throwIfAborted();
      if (!(await this.#set(pageKey(key, page), await listing.page(page)))) return;
    }
    await this.#set(key, listing.header);
  }

  async #page(key: string, build: string, number: number): Promise<ListingPage> {
    const page = (await this.#get(pageKey(key, number))) as ListingPage | null;
    if (page?.build !== build) throw new MissingPageError(`Page ${number} is not in the cache.`);
    return page;
  }

  async #get(key: string): Promise<unknown> {
    try {
      return await decodeValue(await this.options.cache.get(key));
    } catch (error) {
      this.options.log.warn('the cache could not be read', { error });
      return null;
    }
  }

  async #set(key: string, value: unknown): Promise<boolean> {
    const { cache, ttlSeconds, log } = this.options;
    try {
      return (await cache.set(key, await encodeValue(value), ttlSeconds * 1000)) !== false;
    } catch (error) {
      log.warn('the cache could not be written', { error });
      return false;
    }
  }
}
