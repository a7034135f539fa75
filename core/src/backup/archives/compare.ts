import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArchiveComparison, PathHistory } from '@holdfast/contracts';
import { invalid, isoTime, notFound, say } from '../../foundation/kernel/index.js';
import type { ArchiveIndex } from '../../foundation/ports/archive-index.js';
import { currentInventory, findRepository, type RepositorySelector } from '../repositories/index.js';
import type { ArchiveRow } from '../repositories/tables.js';
import { type ListedEntry, parseArchivePath } from './archive-path.rules.js';
import { type ArchiveNeeds, type ArchiveSelector, escaped, findArchive } from './archives.js';
import { type ListingNeeds, readListing } from './browse.js';
import { compareListings, isChanged } from './listing/compare-listings.js';
import type { Listing } from './listing/listing.js';
import { findEntry } from './listing/listing-lookup.js';
import { indexOf } from './memory/remember.js';

type Item = ArchiveComparison['items'][number];

export interface ComparisonInput extends ArchiveSelector {
  /** The archive to compare with. */
  with: string;
  offset: number;
  limit: number;
}

/** The changes from one archive to another one in the same repository. Throws AppError `not_found`. */
export async function compareArchives(
  needs: ArchiveNeeds & ListingNeeds,
  input: ComparisonInput,
  signal?: AbortSignal,
): Promise<ArchiveComparison> {
  const before = await findArchive(needs, input);
  const after = await findArchive(needs, { ...input, archive: input.with });
  const indexed = await indexOf(needs, before.repository);
  const pair = { before: before.archive.tool_id, after: after.archive.tool_id };
  const compared =
    indexed?.holds.has(pair.before) && indexed.holds.has(pair.after)
      ? await compareIndexed(indexed.index, pair, { ...input, signal })
      : await readListing(
          needs,
          before,
          (older) => readListing(needs, after, (newer) => compare([older, newer], input, signal), signal),
          signal,
        );
  return { success: true, archive: before.archive.name, with: after.archive.name, ...compared };
}

async function compareIndexed(
  index: ArchiveIndex,
  pair: { before: string; after: string },
  { offset, limit, signal }: Pick<ComparisonInput, 'offset' | 'limit'> & { signal: AbortSignal | undefined },
) {
  const { items, ...counts } = await index.changes(pair, { offset, limit }, signal);
  const all = counts.added + counts.removed + counts.changed;
  return { ...counts, items: items.map(itemOf), truncated: all > offset + items.length };
}

async function compare(
  [older, newer]: [Listing, Listing],
  { offset, limit }: ComparisonInput,
  signal?: AbortSignal,
) {
  const counts = { added: 0, removed: 0, changed: 0 };
  const items: Item[] = [];
  let seen = 0;
  for await (const difference of compareListings(older, newer, signal)) {
    const item = itemOf(difference);
    counts[item.change]++;
    if (seen >= offset && items.length < limit) items.push(item);
    seen++;
  }
  return { ...counts, items, truncated: seen > offset + items.length };
}

type Compared = Pick<ListedEntry, 'type' | 'size' | 'mtime'>;

function itemOf({
  path,
  before,
  after,
}: {
  path: string;
  before: Compared | null;
  after: Compared | null;
}): Item {
  const entry = (after ?? before) as NonNullable<typeof after>;
  return {
    ...escaped({ path }),
    change: before ? (after ? 'changed' : 'removed') : 'added',
    type: entry.type,
    before: before && factsOf(before),
    after: after && factsOf(after),
  };
}

/** The sum below a directory is no part of its version. */
const factsOf = ({ type, size, mtime }: Compared) => ({
  type,
  size: type === 'directory' ? 0 : size,
  mtime: isoTime(mtime),
});

type Step = PathHistory['history'][number];

/**
 * When a path appeared, changed and vanished, archive by archive. Throws AppError `not_found` when no archive has it.
 */
export async function getPathHistory(
  needs: ArchiveNeeds & ListingNeeds,
  { path: asked, ...selector }: RepositorySelector & { path: string },
  signal?: AbortSignal,
): Promise<PathHistory> {
  const path = parseArchivePath(asked, 'path');
  if (path === '')
    throw invalid(say`history_of_root: path is the root of the archives: give a path below it.`);
  const { repository, archives } = await currentInventory(
    needs,
    await findRepository(needs.storage, selector),
  );
  const history: Step[] = [];
  const indexed = await indexOf(needs, repository);
  const known = indexed && (await entriesByArchive(indexed.index, path));
  let last: Version | null = null;
  for (const archive of archives) {
    // Let other requests run.
    await nextTurn();
    signal?.throwIfAborted();
    const entry: Version | null = indexed?.holds.has(archive.tool_id)
      ? (known?.get(archive.tool_id) ?? null)
      : await readListing(needs, { repository, archive }, (listing) => findEntry(listing, path), signal);
    const state = stateOf(last, entry);
    if (state) history.push(stepOf(archive, state, entry));
    last = entry;
  }
  if (history.length === 0)
    throw notFound(
      say`path_in_no_archive: No archive of repository ${{ repository: repository.name }} has ${{ path }}.`,
    );
  return { success: true, ...escaped({ path }), archives: archives.length, history };
}

type Version = Omit<ListedEntry, 'name' | 'hardLinkTarget' | 'toolPath'>;

async function entriesByArchive(index: ArchiveIndex, path: string): Promise<Map<string, Version>> {
  const versions = (await index.history(path)) ?? [];
  return new Map(versions.flatMap(({ entry, archives }) => archives.map((id) => [id, entry])));
}

function stateOf(before: Version | null, after: Version | null): Step['state'] | null {
  if (!after) return before ? 'vanished' : null;
  if (!before) return 'appeared';
  return isChanged(before, after) ? 'changed' : null;
}

const stepOf = (archive: ArchiveRow, state: Step['state'], entry: Version | null): Step => ({
  state,
  archive: archive.name,
  archive_id: archive.tool_id,
  start: isoTime(archive.start),
  ...(entry && factsOf(entry)),
});
