import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ArchiveListings } from '../../../src/backup/archives/listing/archive-listings.js';
import { silentLog } from '../../fakes/silent-log.js';
import { entry, mapCache, stream } from './listing-world.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shared-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A store that instances share: marks in it end by themselves. */
function sharedStore() {
  const cache = mapCache();
  const ends = new Map<string, number>();
  const set = cache.set.bind(cache);
  return Object.assign(cache, {
    set: (key: string, value: Buffer, ttl?: number) => {
      ends.set(key, performance.now() + (ttl ?? Number.POSITIVE_INFINITY));
      return set(key, value);
    },
    setIfAbsent: async (key: string, value: string | Buffer, ttl: number) => {
      if (cache.values.has(key) && performance.now() < (ends.get(key) ?? 0)) return false;
      await cache.set(key, value, ttl);
      return true;
    },
  });
}

function instance(cache: ReturnType<typeof sharedStore>, builds: Map<string, number>) {
  const listings = new ArchiveListings({
    cache,
    log: silentLog(),
    lifetime: () => 60,
    dataDirectory: folder,
  });
  const read = (name: string) =>
    listings.read({
      archive: { repository_id: 1, name, tool_id: `id of ${name}` },
      epoch: 0,
      use: async (listing) => listing.header.entries,
      readEntries: (collect) => {
        builds.set(name, (builds.get(name) ?? 0) + 1);
        return collect(stream([entry('a/x'), entry('b/y')]));
      },
    });
  return { listings, read };
}

test('lists each archive once for many readers on three instances', async () => {
  const builds = new Map<string, number>();
  const cache = sharedStore();
  const instances = [1, 2, 3].map(() => instance(cache, builds));
  const names = Array.from({ length: 10 }, (_, n) => `a${n}`);
  const readers = Array.from({ length: 10 }, (_, n) => instances[n % 3] ?? instance(cache, builds));
  const answers = await Promise.all(readers.flatMap(({ read }) => names.map(read)));
  await Promise.all(instances.map(({ listings }) => listings.settled()));
  expect(new Set(answers)).toEqual(new Set([4]));
  expect(Object.fromEntries(builds)).toEqual(Object.fromEntries(names.map((name) => [name, 1])));
});

test('takes over the build of a dead instance when its claim expires', async () => {
  const builds = new Map<string, number>();
  const cache = sharedStore();
  await cache.setIfAbsent('archive:1:one/build', 'an instance that was killed', 400);
  const { listings, read } = instance(cache, builds);
  const began = performance.now();
  expect(await read('one')).toBe(4);
  const waited = performance.now() - began;
  await listings.settled();
  expect(waited).toBeGreaterThan(350);
  expect(waited).toBeLessThan(2_000);
  expect(builds.get('one')).toBe(1);
  expect(cache.values.has('archive:1:one/build')).toBe(false);
});
