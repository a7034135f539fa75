import type { ArchiveEntry } from '../../ports/backup-driver.js';
import type { ArchiveRow } from '../../schema/tables.js';
import { type BuiltListing, buildListing } from './build-listing.js';
import { type Listing, MissingPageError } from './listing.js';
import { ListingCache, type ListingCacheOptions } from './listing-cache.js';
import { listingKey } from './listing-format.js';
import { SharedBuilds } from './shared-builds.js';

export interface ListingRequest<T> {
  archive: Pick<ArchiveRow, 'repository_id' | 'name' | 'tool_id'>;
  /** Runs `use` with the tool's stream of entries; called only when the cache doesn't have the listing. */
  readEntries<R>(
    use: (entries: AsyncIterable<ArchiveEntry[]>) => Promise<R>,
    signal: AbortSignal,
  ): Promise<R>;
  /** Called a second time, with another listing, when a page of the first was gone. */
  use(listing: Listing): Promise<T>;
  /** Whoever asked is gone: stop waiting. */
  signal?: AbortSignal | undefined;
}

/** Listings of archives, from the cache, else from the tool and into the cache. One for the process. */
export class ArchiveListings {
  readonly #cache: ListingCache;
  readonly #builds = new SharedBuilds<BuiltListing>();

  constructor(private readonly options: ListingCacheOptions & { dataDirectory: string }) {
    this.#cache = new ListingCache(options);
  }

  async read<T>(request: ListingRequest<T>): Promise<T> {
    const { archive } = request;
    const key = listingKey(archive.repository_id, archive.name);
    const cached = await this.#cache.find(key, archive.tool_id);
    if (cached) {
      try {
        return await request.use(cached);
      } catch (error) {
        if (!(error instanceof MissingPageError)) throw error;
      }
    }
    return this.#builds.use(`${key}/${archive.tool_id}`, {
      start: (signal) => this.#build(key, request, signal),
      use: request.use,
      signal: request.signal,
    });
  }

  async #build(key: string, request: ListingRequest<unknown>, signal: AbortSignal): Promise<BuiltListing> {
    const built = await buildListing({
      archiveId: request.archive.tool_id,
      dataDirectory: this.options.dataDirectory,
      signal,
      readEntries: (use) => request.readEntries(use, signal),
    });
    try {
      await this.#cache.store(key, built, signal);
      return built;
    } catch (error) {
      await built.dispose();
      throw error;
    }
  }
}
