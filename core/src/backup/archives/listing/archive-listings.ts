import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import type { ArchiveRow } from '../../repositories/tables.js';
import { type BuiltListing, buildListing } from './build-listing.fs.js';
import { type Listing, MissingPageError } from './listing.js';
import { ListingCache, type ListingCacheOptions, type ListingMark } from './listing-cache.js';
import { listingKey } from './listing-format.js';
import { type Buildable, BuildClaims, SharedBuilds } from './shared-builds.js';

export interface ListingRequest<T> {
  archive: Pick<ArchiveRow, 'repository_id' | 'name' | 'tool_id'>;
  /** The repository's mark of this moment; listings with another one are not used. */
  epoch: number;
  /** Runs `use` with the tool's stream of entries; called only when the cache doesn't have the listing. */
  readEntries<R>(
    use: (entries: AsyncIterable<ArchiveEntry[]>) => Promise<R>,
    signal: AbortSignal,
  ): Promise<R>;
  /** Called a second time, with another listing, when a page of the first was gone. */
  use(listing: Listing): Promise<T>;
  /** Aborted when the client disconnects. */
  signal?: AbortSignal | undefined;
}

/** A build of this process. */
export interface RunningBuild {
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** Number of entries read so far. */
  entries: number;
}

/** The result of a build: its own listing, or one that another instance stored first. */
interface Obtained extends Buildable {
  listing: Listing;
  store(signal: AbortSignal): Promise<void>;
}

interface Claiming {
  request: ListingRequest<unknown>;
  find(): Promise<Listing | null>;
  signal: AbortSignal;
}

/** Listings of archives from the cache; missing ones are built with the tool and cached. One per process. */
export class ArchiveListings {
  readonly #cache: ListingCache;
  readonly #claims: BuildClaims;
  readonly #builds = new SharedBuilds<Obtained>();
  readonly #running = new Map<string, RunningBuild>();

  constructor(private readonly options: ListingCacheOptions & { dataDirectory: string }) {
    this.#cache = new ListingCache(options);
    this.#claims = new BuildClaims(options.cache);
  }

  async read<T>(request: ListingRequest<T>): Promise<T> {
    const key = keyOf(request);
    const cached = await this.#cache.find(key, markOf(request));
    if (cached) {
      try {
        return await request.use(cached);
      } catch (error) {
        if (!(error instanceof MissingPageError)) throw error;
      }
    }
    const find = async () => {
      const found = await this.#cache.find(key, markOf(request));
      // The one that lost a page is not waited for.
      return found?.header.build === cached?.header.build ? null : found;
    };
    try {
      return await this.#through(request, (signal) => this.#claimed(key, { request, find, signal }));
    } catch (error) {
      if (!(error instanceof MissingPageError)) throw error;
      // A page of another instance's listing was evicted before it was read.
      return this.#through(request, (signal) => this.#build(key, request, signal));
    }
  }

  /** The running build of a listing, or null. */
  running(request: Pick<ListingRequest<unknown>, 'archive' | 'epoch'>): RunningBuild | null {
    return this.#running.get(buildOf(request)) ?? null;
  }

  /** Whether a reading would be answered without the tool. */
  async isCached(request: Pick<ListingRequest<unknown>, 'archive' | 'epoch'>): Promise<boolean> {
    return (await this.#cache.find(keyOf(request), markOf(request))) !== null;
  }

  /** Resolves when what was built is stored. */
  settled(): Promise<void> {
    return this.#builds.settled();
  }

  #through<T>(request: ListingRequest<T>, start: (signal: AbortSignal) => Promise<Obtained>): Promise<T> {
    return this.#builds.use(buildOf(request), {
      start,
      keep: async (built, signal) => {
        await built.store(signal).catch((error: unknown) => {
          this.options.log.warn('a listing could not be cached', { error });
        });
      },
      use: ({ listing }) => request.use(listing),
      signal: request.signal,
    });
  }

  /** Built here, unless another instance does or did it. */
  async #claimed(key: string, { request, find, signal }: Claiming): Promise<Obtained> {
    const { found, release } = await this.#claims.claim(key, { find, signal });
    if (found) return { listing: found, store: async () => undefined, dispose: async () => undefined };
    try {
      const built = await this.#build(key, request, signal);
      const dispose = async () => {
        await release();
        await built.dispose();
      };
      return { ...built, store: (storing) => built.store(storing).finally(release), dispose };
    } catch (error) {
      await release();
      throw error;
    }
  }

  async #build(key: string, request: ListingRequest<unknown>, signal: AbortSignal): Promise<Obtained> {
    const running: RunningBuild = { startedAt: Date.now(), entries: 0 };
    this.#running.set(buildOf(request), running);
    const built: BuiltListing = await buildListing({
      ...markOf(request),
      dataDirectory: this.options.dataDirectory,
      signal,
      readEntries: (use) => request.readEntries(use, signal),
      onProgress: (entries) => {
        running.entries = entries;
      },
    }).finally(() => this.#running.delete(buildOf(request)));
    return {
      listing: built,
      store: (storing) => this.#cache.store(key, built, storing),
      dispose: built.dispose,
    };
  }
}

const keyOf = ({ archive }: Pick<ListingRequest<unknown>, 'archive'>): string =>
  listingKey(archive.repository_id, archive.name);

/** The key that requests must share to share a build. */
const buildOf = (request: Pick<ListingRequest<unknown>, 'archive' | 'epoch'>): string =>
  `${keyOf(request)}/${request.archive.tool_id}/${request.epoch}`;

const markOf = ({ archive, epoch }: Pick<ListingRequest<unknown>, 'archive' | 'epoch'>): ListingMark => ({
  archiveId: archive.tool_id,
  epoch,
});
