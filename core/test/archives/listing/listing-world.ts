import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CacheStore } from '@holdfast/plugin-api';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import {
  ArchiveListings,
  type ListingRequest,
} from '../../../src/backup/archives/listing/archive-listings.js';
import type { Listing } from '../../../src/backup/archives/listing/listing.js';
import { entriesBelow } from '../../../src/backup/archives/listing/listing-lookup.js';
import { silentLog } from '../../fakes/silent-log.js';

export const at = Date.UTC(2030, 0, 1);

export const entry = (path: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry => ({
  path,
  type: 'file',
  mode: '-rw-r--r--',
  user: 'u',
  group: 'g',
  size: 1,
  mtime: at + 0.5,
  hardLinkTarget: null,
  symlinkTarget: null,
  healthy: true,
  ...more,
});
export const directory = (path: string, more: Partial<ArchiveEntry> = {}): ArchiveEntry =>
  entry(path, { type: 'directory', size: 0, ...more });

export async function* stream(
  entries: Iterable<ArchiveEntry>,
  batchSize = 500,
): AsyncGenerator<ArchiveEntry[]> {
  let batch: ArchiveEntry[] = [];
  for (const each of entries) {
    if (batch.push(each) < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** A cache that keeps everything, with a look inside. */
export function mapCache(): CacheStore & { values: Map<string, Buffer> } {
  const values = new Map<string, Buffer>();
  const cache = {
    opts: {},
    values,
    get: async (key: string) => values.get(key),
    set: async (key: string, value: Buffer) => void values.set(key, value),
    delete: async (key: string) => values.delete(key),
    clear: async () => values.clear(),
    iterator: async function* () {
      yield* [...values];
    },
    on: () => cache,
  };
  return cache as unknown as CacheStore & { values: Map<string, Buffer> };
}

export interface ListingWorld {
  folder: string;
  cache: ReturnType<typeof mapCache>;
  /** How often the tool was asked. */
  builds: number;
  read<T>(entries: Iterable<ArchiveEntry>, use: (listing: Listing) => Promise<T>, name?: string): Promise<T>;
  /** Names in one directory, sorted; null when there is nothing. */
  names(entries: Iterable<ArchiveEntry>, path: string): Promise<string[] | null>;
  leftOver(): Promise<string[]>;
  listings: ArchiveListings;
  end(): Promise<void>;
}

export async function listingWorld(cache = mapCache()): Promise<ListingWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'listing-'));
  const listings = new ArchiveListings({
    cache,
    log: silentLog(),
    lifetime: () => 60,
    dataDirectory: folder,
  });
  /** What is stored after the answer is there when it resolves. */
  const settling = <T>(request: ListingRequest<T>) =>
    listings.read(request).finally(() => listings.settled());
  const world: ListingWorld = {
    folder,
    cache,
    listings,
    builds: 0,
    read: (entries, use, name = 'one') =>
      settling({
        archive: { repository_id: 1, name, tool_id: `id of ${name}` },
        epoch: 0,
        use,
        readEntries: (collect) => {
          world.builds++;
          return collect(stream(entries));
        },
      }),
    names: (entries, path) =>
      world.read(entries, async (listing) => {
        const found = await entriesBelow(listing, path);
        return found?.entries.map(({ name }) => name).sort() ?? null;
      }),
    leftOver: () => readdir(join(folder, 'listing-builds')).catch(() => []),
    end: () => rm(folder, { recursive: true }),
  };
  return world;
}
