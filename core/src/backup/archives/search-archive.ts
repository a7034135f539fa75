import type { ArchiveSearch, RepositorySearch, SearchEverywhere } from '@holdfast/contracts';
import { isoTime } from '../../foundation/kernel/index.js';
import type { ArchiveIndex } from '../../foundation/ports/archive-index.js';
import { currentInventory, findRepository, type RepositorySelector } from '../repositories/index.js';
import { type ArchiveRow, archives, repositories } from '../repositories/tables.js';
import { baseNameOf, joinPath, type ListedEntry } from './archive-path.rules.js';
import { type ArchiveNeeds, type ArchiveSelector, contentItem, escaped, findArchive } from './archives.js';
import { type ListingNeeds, readListing } from './browse.js';
import { rangeOf } from './count-archives.js';
import type { Listing } from './listing/listing.js';
import {
  type Match,
  makeNameMatcher,
  type NameMatcher,
  type NameQuery,
  SearchTime,
  searchListing,
} from './listing/search-listing.js';
import { indexOf } from './memory/remember.js';

export interface SearchInput {
  query: string;
  mode: NameQuery['mode'];
  case_sensitive: boolean;
  limit: number;
}

type Needs = ArchiveNeeds & ListingNeeds;

/** Searches the entries of one archive by name in its cached listing. Throws AppError `not_found`, `invalid`. */
export const searchArchive = (needs: Needs, maxMs?: number) => {
  return async (
    { offset, limit, ...input }: ArchiveSelector & SearchInput & { offset: number },
    signal?: AbortSignal,
  ): Promise<ArchiveSearch> => {
    const time = new SearchTime(maxMs);
    const matcher = matcherOf(input);
    const found = await findArchive(needs, input);
    return readListing(
      needs,
      found,
      async (listing) => {
        const matches: Match[] = [];
        let seen = 0;
        for await (const match of searchListing(listing, { matcher, time, signal })) {
          if (seen++ >= offset) matches.push(match);
          if (matches.length > limit) break;
        }
        const items = matches.slice(0, limit).map(({ directory, entry }) => contentItem(directory, entry));
        return { success: true as const, items, truncated: matches.length > limit || time.isOver };
      },
      signal,
    );
  };
};

/** What a path must have been in some archive. */
export interface SearchFilters {
  type?: ListedEntry['type'] | undefined;
  min_size: number;
  max_size: number;
  /** As in `Period`. */
  modified_since?: string | undefined;
  modified_until?: string | undefined;
  /** Only paths that the newest archives no longer have. */
  deleted: boolean;
}

export interface RepositoryInput extends RepositorySelector, SearchInput, SearchFilters {
  /** 0: from the beginning. */
  cursor: number;
  cached_only: boolean;
  known_only?: boolean;
}

/**
 * Searches the entries of all archives of a repository by name; each path appears once with its versions. Those in the
 * index come first, then those of the other archives.
 */
export const searchRepository =
  (needs: Needs, maxMs?: number) =>
  async (
    { cached_only, known_only: knownOnly, ...input }: RepositoryInput,
    signal?: AbortSignal,
  ): Promise<RepositorySearch> => {
    const [matcher, time] = [matcherOf(input), new SearchTime(maxMs)];
    const filters = filtersOf(input);
    const { repository, archives: all } = await currentInventory(
      needs,
      await findRepository(needs.storage, input),
      { knownOnly },
    );
    const indexed = await indexOf(needs, repository);
    const found = new FoundPathsOf(input.limit);
    const search = { matcher, time, signal };
    let next = indexed && (await searchIndex(indexed.index, { ...search, input, filters, all, found }));
    const skipped: string[] = [];
    for (const archive of all.filter(({ tool_id }) => !indexed?.holds.has(tool_id))) {
      const isWanted =
        !time.isOver &&
        !input.deleted &&
        input.cursor === 0 &&
        (!cached_only || (await needs.listings.isCached({ archive, epoch: repository.cache_epoch })));
      if (isWanted) {
        const use = async (listing: Listing) => {
          for await (const { directory, entry } of searchListing(listing, search))
            if (filters.matches(entry)) found.add(joinPath(directory, entry.name), entry, [archive.name]);
        };
        await readListing(needs, { repository, archive }, use, signal);
      }
      if (!isWanted || time.isOver) skipped.push(archive.name);
    }
    if (time.isOver) next = null;
    const truncated = time.isOver || found.isFull || next !== null;
    return { success: true, items: found.views(), truncated, next, not_searched: skipped };
  };

const filtersOf = ({ type, min_size, max_size, modified_since, modified_until }: SearchFilters) => {
  const { from, to } = rangeOf({ since: modified_since, until: modified_until });
  return {
    from,
    to,
    matches: (entry: Version): boolean =>
      (type === undefined || entry.type === type) &&
      (entry.type === 'directory' ? min_size === 0 : entry.size >= min_size && entry.size <= max_size) &&
      (from === undefined || (entry.mtime !== null && entry.mtime >= from)) &&
      (to === undefined || (entry.mtime !== null && entry.mtime < to)),
  };
};

interface IndexSearch {
  matcher: NameMatcher;
  time: SearchTime;
  signal: AbortSignal | undefined;
  input: Omit<RepositoryInput, 'cached_only'>;
  filters: ReturnType<typeof filtersOf>;
  all: readonly ArchiveRow[];
  found: FoundPathsOf;
}

/** Where the next page begins, or null. */
async function searchIndex(
  index: ArchiveIndex,
  { matcher, time, signal, input, filters, all, found }: IndexSearch,
): Promise<number | null> {
  const nameOf = new Map(all.map(({ tool_id, name }) => [tool_id, name]));
  time.begin();
  const page = await index.search({
    literal: matcher.literal,
    matches: matcher.matches,
    minSize: input.min_size,
    maxSize: input.max_size,
    deleted: input.deleted,
    after: input.cursor,
    limit: input.limit,
    isOver: () => time.isOver,
    ...(input.type && { type: input.type }),
    ...(filters.from !== undefined && { since: filters.from }),
    ...(filters.to !== undefined && { until: filters.to }),
    ...(signal && { signal }),
  });
  time.end();
  for (const { path, versions } of page.items)
    for (const { entry, archives: ids } of versions) {
      const names = ids.flatMap((id) => nameOf.get(id) ?? []);
      if (names.length > 0 && filters.matches(entry)) found.add(path, entry, names);
    }
  return page.next;
}

type Version = Pick<ListedEntry, 'type' | 'size' | 'mtime'>;

/** The paths that match, each with its versions, up to a number of paths. */
class FoundPathsOf {
  /** There were more paths. */
  isFull = false;
  readonly #paths = new Map<string, Map<string, { entry: Version; archives: string[] }>>();

  constructor(private readonly limit: number) {}

  add(path: string, entry: Version, archives: readonly string[]): void {
    let versions = this.#paths.get(path);
    if (!versions) {
      if (this.#paths.size >= this.limit) {
        this.isFull = true;
        return;
      }
      versions = new Map();
      this.#paths.set(path, versions);
    }
    const key = `${entry.type} ${entry.type === 'directory' ? '' : `${entry.size} ${entry.mtime}`}`;
    const version = versions.get(key) ?? { entry, archives: [] };
    versions.set(key, version);
    version.archives.push(...archives);
  }

  views(): RepositorySearch['items'] {
    return [...this.#paths].map(([path, versions]) => ({
      ...escaped({ name: baseNameOf(path), path }),
      versions: [...versions.values()].map(({ entry: { type, size, mtime }, archives }) => ({
        type,
        size: type === 'directory' ? 0 : size,
        mtime: isoTime(mtime),
        archives,
      })),
    }));
  }
}

/** What is known of all repositories; all of them share the time of one search. */
export const searchEverywhere =
  (needs: Needs, maxMs = 10_000) =>
  async (input: SearchInput & SearchFilters, signal?: AbortSignal): Promise<SearchEverywhere> => {
    const end = Date.now() + maxMs;
    const found: SearchEverywhere['repositories'] = [];
    const rows = await needs.storage.find(repositories, { where: { admin_only: false } });
    for (const { id: repository_id, name } of rows) {
      const search = searchRepository(needs, Math.max(0, end - Date.now()));
      const wish = { ...input, cursor: 0, repository_id, cached_only: true, known_only: true };
      const { success: _, ...one } = await search(wish, signal);
      if (one.items.length + one.not_searched.length === 0) continue;
      const known = await needs.storage.find(archives, { where: { repository_id } });
      const starts = known.map((row) => ({ name: row.name, start: isoTime(row.start) }));
      found.push({ ...one, repository_id, repository_name: name, archives: starts });
    }
    return { success: true, repositories: found };
  };

const matcherOf = ({ query, mode, case_sensitive }: Omit<SearchInput, 'limit'>) =>
  makeNameMatcher({ query, mode, caseSensitive: case_sensitive });
