import type { ArchiveSearch, RepositorySearch, SearchEverywhere } from '@holdfast/contracts';
import { isoTime } from '../../foundation/kernel/index.js';
import { currentInventory, findRepository, type RepositorySelector } from '../repositories/index.js';
import { type ArchiveRow, archives, type RepositoryRow, repositories } from '../repositories/tables.js';
import { joinPath } from './archive-path.rules.js';
import { type ArchiveNeeds, type ArchiveSelector, contentItem, findArchive } from './archives.js';
import { type ListingNeeds, readListing } from './browse.js';
import {
  type Match,
  makeNameMatcher,
  type NameQuery,
  SearchTime,
  searchListing,
} from './listing/search-listing.js';

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

interface Group {
  match: Match;
  versions: Map<string, { match: Match; archives: string[] }>;
}

/** Searches the entries of all archives of a repository by name; each path appears once with its versions. */
export const searchRepository = (needs: Needs, maxMs?: number) => {
  const search = async (searched: SearchedArchive, collect: (match: Match) => void) =>
    readListing(
      needs,
      searched,
      async (listing) => {
        for await (const match of searchListing(listing, searched)) collect(match);
      },
      searched.signal,
    );
  return async (
    {
      cached_only,
      known_only: knownOnly,
      limit,
      ...input
    }: RepositorySelector & SearchInput & { cached_only: boolean; known_only?: boolean },
    signal?: AbortSignal,
  ): Promise<RepositorySearch> => {
    const [matcher, time] = [matcherOf(input), new SearchTime(maxMs)];
    const { repository, archives: all } = await currentInventory(
      needs,
      await findRepository(needs.storage, input),
      {
        knownOnly,
      },
    );
    const groups = new Map<string, Group>();
    const skipped: string[] = [];
    let truncated = false;
    for (const archive of all) {
      const isWanted =
        !time.isOver &&
        (!cached_only || (await needs.listings.isCached({ archive, epoch: repository.cache_epoch })));
      if (isWanted) {
        await search({ repository, archive, matcher, time, signal }, (match) => {
          // Known paths may have more versions in later archives.
          truncated = !addTo(groups, { match, archive: archive.name, limit }) || truncated;
        });
      }
      if (!isWanted || time.isOver) skipped.push(archive.name);
    }
    truncated ||= time.isOver;
    return { success: true, items: [...groups.values()].map(groupView), truncated, not_searched: skipped };
  };
};

/** What is known of all repositories; all of them share the time of one search. */
export const searchEverywhere =
  (needs: Needs, maxMs = 10_000) =>
  async (input: SearchInput, signal?: AbortSignal): Promise<SearchEverywhere> => {
    const end = Date.now() + maxMs;
    const found: SearchEverywhere['repositories'] = [];
    const rows = await needs.storage.find(repositories, { where: { admin_only: false } });
    for (const { id: repository_id, name } of rows) {
      const search = searchRepository(needs, Math.max(0, end - Date.now()));
      const wish = { ...input, repository_id, cached_only: true, known_only: true };
      const { success: _, ...one } = await search(wish, signal);
      if (one.items.length + one.not_searched.length === 0) continue;
      const known = await needs.storage.find(archives, { where: { repository_id } });
      const starts = known.map((row) => ({ name: row.name, start: isoTime(row.start) }));
      found.push({ ...one, repository_id, repository_name: name, archives: starts });
    }
    return { success: true, repositories: found };
  };

interface SearchedArchive {
  repository: RepositoryRow;
  archive: ArchiveRow;
  matcher: ReturnType<typeof makeNameMatcher>;
  time: SearchTime;
  signal: AbortSignal | undefined;
}

const matcherOf = ({ query, mode, case_sensitive }: Omit<SearchInput, 'limit'>) =>
  makeNameMatcher({ query, mode, caseSensitive: case_sensitive });

/** False when the limit of paths is reached. */
function addTo(
  groups: Map<string, Group>,
  { match, archive, limit }: { match: Match; archive: string; limit: number },
): boolean {
  const { entry, directory } = match;
  const path = joinPath(directory, entry.name);
  const group = groups.get(path) ?? { match, versions: new Map() };
  if (!groups.has(path)) {
    if (groups.size >= limit) return false;
    groups.set(path, group);
  }
  const key = `${entry.type} ${entry.type === 'directory' ? '' : `${entry.size} ${entry.mtime}`}`;
  const version = group.versions.get(key);
  if (version) version.archives.push(archive);
  else group.versions.set(key, { match, archives: [archive] });
  return true;
}

function groupView({ match, versions }: Group): RepositorySearch['items'][number] {
  const { name, path, name_escaped } = contentItem(match.directory, match.entry);
  return {
    name,
    path,
    ...(name_escaped && { name_escaped }),
    versions: [...versions.values()].map(({ match: { entry }, archives }) => ({
      type: entry.type,
      size: entry.size,
      mtime: isoTime(entry.mtime),
      archives,
    })),
  };
}
