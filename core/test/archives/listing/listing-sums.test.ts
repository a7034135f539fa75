import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildListing } from '../../../src/backup/archives/listing/build-listing.fs.js';
import { entriesBelow } from '../../../src/backup/archives/listing/listing-lookup.js';
import { directory, entry, type ListingWorld, listingWorld, stream } from './listing-world.js';

let world: ListingWorld;
beforeEach(async () => {
  world = await listingWorld();
});
afterEach(() => world.end());

/** Numbers from a seed, each below the given one. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

interface Shape {
  entries: number;
  directories: number;
  /** Of 100 entries so many have a name that may be there already. */
  repeated: number;
  linked: number;
}

/** Files in any order, some listed twice, some of them further names of ones before. */
function archive(seed: number, { entries, directories, repeated, linked }: Shape): ArchiveEntry[] {
  const below = numbers(seed);
  const list: ArchiveEntry[] = [directory('d'), directory('d/0')];
  const files: ArchiveEntry[] = [];
  for (let n = 0; n < entries; n++) {
    const again = below(100) < repeated && files.length > 0 ? files[below(files.length)] : undefined;
    const path = again?.path ?? `d/${below(directories)}/some file ${n}`;
    const first = below(100) < linked ? files[below(files.length)] : undefined;
    if (first && !again) list.push(entry(path, { size: 0, hardLinkTarget: first.path }));
    else {
      const file = again ?? entry(path, { size: below(1000) });
      files.push(file);
      list.push(file);
    }
  }
  return list;
}

/** What each directory must come to, and each file, worked out in memory. */
function expected(list: ArchiveEntry[]): { files: Map<string, number>; sums: Map<string, number> } {
  const files = new Map<string, number>();
  for (const { path, type, size, hardLinkTarget } of list) {
    if (type === 'directory' || files.has(path)) continue;
    files.set(path, hardLinkTarget === null ? size : (files.get(hardLinkTarget) ?? Number.NaN));
  }
  const sums = new Map<string, number>();
  for (const [path, size] of files) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const above = path.slice(0, end);
      sums.set(above, (sums.get(above) ?? 0) + size);
    }
  }
  return { files, sums };
}

async function compare(list: ArchiveEntry[], name: string): Promise<void> {
  const { files, sums } = expected(list);
  await world.read(
    list,
    async (listing) => {
      const seen = new Map<string, number>();
      const walk = async (path: string): Promise<void> => {
        for (const { name, type, size } of (await entriesBelow(listing, path))?.entries ?? []) {
          const child = path === '' ? name : `${path}/${name}`;
          if (type !== 'directory') {
            expect(seen.has(child)).toBe(false);
            seen.set(child, size);
            continue;
          }
          expect([child, size]).toEqual([child, sums.get(child) ?? 0]);
          await walk(child);
        }
      };
      await walk('');
      expect([...seen].sort()).toEqual([...files].sort());
    },
    name,
  );
}

test.each([
  ['a few directories', { entries: 2_000, directories: 5, repeated: 0, linked: 0 }],
  ['files that are listed twice', { entries: 3_000, directories: 40, repeated: 10, linked: 0 }],
  ['hard links', { entries: 3_000, directories: 40, repeated: 0, linked: 20 }],
  ['both', { entries: 3_000, directories: 40, repeated: 10, linked: 20 }],
  ['large directories with both', { entries: 30_000, directories: 2, repeated: 10, linked: 20 }],
  ['many pages', { entries: 10_000, directories: 40, repeated: 1, linked: 1 }],
])('sums sizes of files and directories with %s', async (_, shape) => {
  for (const seed of [1, 2]) await compare(archive(seed, shape), `seed ${seed}`);
});

test('sums more pages than buckets while the tool is read', async () => {
  const long = 'x'.repeat(4_000);
  const list = function* () {
    for (let n = 0; n < 60_000; n++) yield entry(`${n % 10_000}/${long}${n}`, { size: n });
  };
  const listing = await buildListing({
    archiveId: 'one',
    epoch: 0,
    dataDirectory: world.folder,
    signal: new AbortController().signal,
    readEntries: (use) => use(stream(list())),
  });
  try {
    expect(listing.header.hashedPages).toBeGreaterThan(1_024);
    for (const n of [0, 1, 777, 9_999]) {
      const found = await entriesBelow(listing, `${n}`);
      const sizes = found?.entries.map(({ size }) => size).sort((a, b) => a - b);
      expect(sizes).toEqual([0, 1, 2, 3, 4, 5].map((k) => n + k * 10_000));
    }
  } finally {
    await listing.dispose();
  }
}, 120_000);
