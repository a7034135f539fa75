import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ListedEntry } from '../archive-path.rules.js';
import { joinPath } from '../archive-path.rules.js';
import type { Listing } from './listing.js';
import { type EntryRecord, entryOf } from './listing-format.js';
import { entriesBelow } from './listing-lookup.js';
import type { ListingPage } from './listing-page.js';
import { partOf } from './page-plan.js';

export interface Difference {
  path: string;
  /** Null: missing. */
  before: ListedEntry | null;
  after: ListedEntry | null;
}

/**
 * Yields the differences of two listings in a stable order. Reads both once, page by page: their numbers of
 * pages are powers of two, so each page of the smaller one covers whole pages of the larger one.
 */
export async function* compareListings(
  before: Listing,
  after: Listing,
  signal?: AbortSignal,
): AsyncGenerator<Difference> {
  const large = new Set([...before.header.large, ...after.header.large].map(([path]) => path));
  const sides = [new Side(before, large), new Side(after, large)] as const;
  const count = Math.max(before.header.hashedPages, after.header.hashedPages);
  for (let part = 0; part < count; part++) {
    // Other requests come in between, and the end of this one.
    await nextTurn();
    signal?.throwIfAborted();
    const [old, now] = await Promise.all(sides.map((side) => side.directories(part, count)));
    for (const path of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
      yield* differences(path, old?.get(path)?.().map(entryOf) ?? [], now?.get(path)?.().map(entryOf) ?? []);
    }
  }
  for (const path of large) {
    signal?.throwIfAborted();
    const [old, now] = await Promise.all([entriesBelow(before, path), entriesBelow(after, path)]);
    yield* differences(now?.path ?? old?.path ?? path, old?.entries ?? [], now?.entries ?? []);
  }
}

/** One listing, read in as many parts as the larger of two has pages. */
class Side {
  #held: { number: number; page: ListingPage } | null = null;

  constructor(
    private readonly listing: Listing,
    private readonly large: ReadonlySet<string>,
  ) {}

  async directories(part: number, count: number): Promise<Map<string, () => EntryRecord[]>> {
    const { hashedPages } = this.listing.header;
    const number = part % hashedPages;
    if (this.#held?.number !== number || hashedPages === count) {
      this.#held = { number, page: await this.listing.page(number) };
    }
    const inPart = this.#held.page.directories.filter(
      ({ path }) => partOf(path, count) === part && !this.large.has(path),
    );
    return new Map(inPart.map(({ path, records }) => [path, records]));
  }
}

function* differences(directory: string, before: ListedEntry[], after: ListedEntry[]): Generator<Difference> {
  const old = new Map(before.map((entry) => [entry.name, entry]));
  for (const entry of after) {
    const former = old.get(entry.name) ?? null;
    old.delete(entry.name);
    if (!former || isChanged(former, entry)) {
      yield { path: joinPath(directory, entry.name), before: former, after: entry };
    }
  }
  for (const entry of old.values()) {
    yield { path: joinPath(directory, entry.name), before: entry, after: null };
  }
}

type Compared = Pick<ListedEntry, 'type' | 'size' | 'mtime' | 'symlinkTarget' | 'healthy'>;

/** An existing directory never counts as changed: its entries are compared separately. */
export function isChanged(before: Compared, after: Compared): boolean {
  if (before.type !== after.type) return true;
  if (after.type === 'directory') return false;
  return (
    before.size !== after.size ||
    before.mtime !== after.mtime ||
    before.symlinkTarget !== after.symlinkTarget ||
    before.healthy !== after.healthy
  );
}
