import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ArchiveEntry } from '@holdfast/plugin-api/driver';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sweepListingBuilds } from '../../../src/backup/archives/listing/build-listing.fs.js';
import { entriesBelow } from '../../../src/backup/archives/listing/listing-lookup.js';
import { directory, entry, type ListingWorld, listingWorld, mapCache, stream } from './listing-world.js';

let world: ListingWorld;
beforeEach(async () => {
  world = await listingWorld();
});
afterEach(async () => {
  await world.listings.settled();
  expect(await world.leftOver()).toEqual([]);
  await world.end();
});

const some = [directory('a'), entry('a/x'), entry('a/y')];
const key = 'archive:1:one';

test('serves the second reading from the cache', async () => {
  expect(await world.names(some, 'a')).toEqual(['x', 'y']);
  expect(await world.names([], 'a')).toEqual(['x', 'y']);
  expect(world.builds).toBe(1);
});

test('reads only the header and one page for a browse', async () => {
  const entries = Array.from({ length: 30_000 }, (_, n) => entry(`d${n % 3000}/${n}`));
  await world.names(entries, 'd7');
  const asked: string[] = [];
  const get = world.cache.get.bind(world.cache);
  world.cache.get = (each) => {
    asked.push(each);
    return get(each);
  };
  expect(await world.names([], 'd8')).toHaveLength(10);
  expect(asked).toHaveLength(2);
  expect(world.cache.values.size).toBeGreaterThan(3);
});

describe('built again', () => {
  test('misses when a page was evicted', async () => {
    await world.names(some, 'a');
    world.cache.values.delete(`${key}/0`);
    expect(await world.names(some, 'a')).toEqual(['x', 'y']);
    expect(world.builds).toBe(2);
  });

  test('misses when another archive has the name', async () => {
    await world.names(some, 'a');
    const names = await world.listings.read({
      archive: { repository_id: 1, name: 'one', tool_id: 'another' },
      epoch: 0,
      use: async (listing) => (await entriesBelow(listing, 'a'))?.entries.map(({ name }) => name),
      readEntries: (collect) => collect(stream([entry('a/new')])),
    });
    expect(names).toEqual(['new']);
  });

  test('misses when a page belongs to another build', async () => {
    await world.names([entry('a/older')], 'a');
    const page = world.cache.values.get(`${key}/0`);
    world.cache.values.clear();
    await world.names(some, 'a');
    world.cache.values.set(`${key}/0`, page ?? Buffer.alloc(0));
    expect(await world.names(some, 'a')).toEqual(['x', 'y']);
    expect(world.builds).toBe(3);
  });

  test.each([
    ['of an older form', Buffer.from(`\0${JSON.stringify({ format: 0, archiveId: 'id of one' })}`)],
    ['that is damaged', Buffer.from('\x01no zlib')],
    ['that is no listing', Buffer.from('\x00"text"')],
  ])('misses when there is a header %s', async (_, value) => {
    world.cache.values.set(key, value);
    expect(await world.names(some, 'a')).toEqual(['x', 'y']);
  });
});

describe('a cache that', () => {
  const readTwice = async (cache: ReturnType<typeof mapCache>) => {
    await world.end();
    world = await listingWorld(cache);
    expect(await world.names(some, 'a')).toEqual(['x', 'y']);
    expect(await world.names(some, 'a')).toEqual(['x', 'y']);
    return world.builds;
  };

  test('keeps nothing costs only time', async () => {
    const cache = mapCache();
    cache.set = async () => false;
    expect(await readTwice(cache)).toBe(2);
  });

  test('fails costs only time', async () => {
    const cache = mapCache();
    cache.set = cache.get = () => Promise.reject(new Error('gone'));
    expect(await readTwice(cache)).toBe(2);
  });

  test('stores only some pages gets no header', async () => {
    const cache = mapCache();
    const set = cache.set.bind(cache);
    cache.set = async (each: string, value: Buffer) => (each.endsWith('/0') ? false : set(each, value));
    await readTwice(cache);
    expect([...cache.values.keys()]).toEqual([]);
  });
});

describe('a build', () => {
  /** A tool that tells one entry and then waits until it is released or ended. */
  function slowTool() {
    const tool = { started: 0, ended: false, release: () => {} };
    const released = new Promise<void>((resolve) => {
      tool.release = resolve;
    });
    async function* entries(signal: AbortSignal): AsyncGenerator<ArchiveEntry[]> {
      tool.started++;
      try {
        yield [entry('a/x')];
        await new Promise<void>((resolve, reject) => {
          released.then(resolve);
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      } finally {
        tool.ended = true;
      }
    }
    const read = (signal?: AbortSignal) =>
      world.listings.read({
        archive: { repository_id: 1, name: 'one', tool_id: 'id of one' },
        epoch: 0,
        use: async (listing) => listing.header.entries,
        readEntries: (collect, building) => collect(entries(building)),
        signal,
      });
    return { tool, read };
  }

  const started = async (tool: { started: number }) => {
    while (tool.started === 0) await setImmediate();
  };

  test('is shared by concurrent readers', async () => {
    const { tool, read } = slowTool();
    const readings = [read(), read(), read()];
    await started(tool);
    tool.release();
    expect(await Promise.all(readings)).toEqual([2, 2, 2]);
    expect(tool.started).toBe(1);
  });

  test('ends without waiting readers and leaves nothing', async () => {
    const { tool, read } = slowTool();
    const gone = [new AbortController(), new AbortController()];
    const readings = gone.map(({ signal }) => read(signal));
    await started(tool);
    gone[0]?.abort(new Error('first left'));
    await expect(readings[0]).rejects.toThrow('first left');
    expect(tool.ended).toBe(false);
    gone[1]?.abort(new Error('second left'));
    await expect(readings[1]).rejects.toThrow('second left');
    expect(tool.ended).toBe(true);
    expect(await world.leftOver()).toEqual([]);
    expect(world.cache.values.size).toBe(0);
  });

  test('does not block the next one after it was ended', async () => {
    const { tool, read } = slowTool();
    const gone = new AbortController();
    const first = read(gone.signal);
    await started(tool);
    gone.abort(new Error('left'));
    await expect(first).rejects.toThrow('left');
    tool.release();
    expect(await read()).toBe(2);
    expect(tool.started).toBe(2);
  });

  test('rejects all waiting readers when it fails, and leaves nothing', async () => {
    const failing = () =>
      world.listings.read({
        archive: { repository_id: 1, name: 'one', tool_id: 'id of one' },
        epoch: 0,
        use: async () => null,
        readEntries: () => Promise.reject(new Error('tool failed')),
      });
    const results = await Promise.allSettled([failing(), failing()]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

test('removes files left by dead processes', async () => {
  const builds = join(world.folder, 'listing-builds');
  for (const name of [`${process.pid}-old`, '999999999-gone', `${process.ppid}-lives`, 'no number']) {
    await mkdir(join(builds, name), { recursive: true });
  }
  await sweepListingBuilds(world.folder);
  expect(await readdir(builds)).toEqual([`${process.ppid}-lives`]);
  await world.end();
  world = await listingWorld();
  await sweepListingBuilds(join(world.folder, 'not there'));
});
