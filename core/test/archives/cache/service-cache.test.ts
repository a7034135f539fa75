import type { CacheStore } from '@holdfast/plugin-api';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CacheChoice } from '../../../src/backup/archives/cache/cache-control.js';
import { ServiceCache } from '../../../src/backup/archives/cache/service-cache.js';
import { silentLog } from '../../fakes/silent-log.js';
import { mapCache } from '../listing/listing-world.js';

const choice: CacheChoice = {
  url: 'redis://one',
  enabled: true,
  ttlSeconds: 60,
  maxSizeMb: 10,
  warmAfterBackup: false,
};

/** An external store that can be broken in every way. */
function breakable() {
  const inner = mapCache();
  const state = { fault: null as 'fails' | 'hangs' | 'full' | null, calls: 0, closed: false, inner };
  const call = async <T>(work: () => Promise<T>, writes = false): Promise<T> => {
    state.calls++;
    if (state.fault === 'hangs') return new Promise<T>(() => undefined);
    if (state.fault === 'fails') throw new Error('ECONNREFUSED');
    if (state.fault === 'full' && writes) throw new Error('OOM command not allowed');
    return work();
  };
  const store = {
    opts: {},
    get: (key: string) => call(() => inner.get(key)),
    set: (key: string, value: Buffer) => call(async () => inner.set(key, value), true),
    delete: (key: string) => call(() => inner.delete(key)),
    clear: () => call(() => inner.clear()),
    iterator: inner.iterator,
    on: () => store,
  } as unknown as CacheStore;
  return { state, store };
}

let memory: ReturnType<typeof mapCache>;
let external: ReturnType<typeof breakable>;
let cache: ServiceCache;

const opened = ({ store, state }: ReturnType<typeof breakable>) => ({
  store,
  health: async () => (state.fault ? 'It is away.' : null),
  close: async () => {
    state.closed = true;
  },
});

beforeEach(() => {
  memory = mapCache();
  external = breakable();
  cache = new ServiceCache(
    {
      memory,
      openMemory: async () => ({ store: mapCache(), health: async () => null, close: async () => undefined }),
      openExternal: async () => opened(external),
      log: silentLog(),
    },
    choice,
  );
});
afterEach(() => cache.end());

const inUse = async () => (await cache.status()).inUse;
const begun = async () => {
  await cache.begin(choice);
  await vi.waitFor(async () => expect(await inUse()).toBe('external'));
};

test('writes unchanged values to both stores under the same key', async () => {
  await begun();
  expect(await cache.set('archive:1:a', Buffer.from([0, 255]), 1000)).toBe(true);
  expect(external.state.inner.values.get('archive:1:a')).toEqual(Buffer.from([0, 255]));
  expect(memory.values.get('archive:1:a')).toEqual(Buffer.from([0, 255]));
});

test('reads missing values from the external store, then from memory', async () => {
  await begun();
  external.state.inner.values.set('archive:1:a', Buffer.from('x'));
  expect(await cache.get('archive:1:a')).toEqual(Buffer.from('x'));
  external.state.fault = 'fails';
  expect(await cache.get('archive:1:a')).toEqual(Buffer.from('x'));
  expect(await cache.status()).toMatchObject({ hits: 2, misses: 0 });
});

describe.each(['fails', 'hangs', 'full'] as const)('an external store that %s', (fault) => {
  test('costs at most its time limit, is skipped, and is used again later', async () => {
    await begun();
    external.state.fault = fault;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stored = cache.set('archive:1:a', Buffer.from('x'), 1000);
    const read = stored.then(() => cache.get('archive:1:b'));
    await vi.advanceTimersByTimeAsync(1_500);
    vi.useRealTimers();
    expect(await stored).toBe(true);
    if (fault !== 'full') expect(await read).toBeUndefined();
    expect(await cache.get('archive:1:a')).toEqual(Buffer.from('x'));
    expect(await cache.status()).toMatchObject({ inUse: 'memory', problem: expect.any(String) });
    const before = external.state.calls;
    for (let n = 0; n < 50; n++) await cache.get(`archive:1:none/${n}`);
    expect(external.state.calls - before).toBeLessThan(5);
    external.state.fault = null;
    await vi.waitFor(async () => expect(await inUse()).toBe('external'), { timeout: 6_000, interval: 50 });
    await cache.set('archive:1:c', Buffer.from('y'), 1000);
    expect(external.state.inner.values.has('archive:1:c')).toBe(true);
  }, 15_000);
});

test('ends a hanging read within a quarter of a second', async () => {
  await begun();
  external.state.fault = 'hangs';
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reading = cache.get('archive:1:b');
  await vi.advanceTimersByTimeAsync(250);
  vi.useRealTimers();
  expect(await reading).toBeUndefined();
});

test('starts using a store that was away at the start', async () => {
  external.state.fault = 'fails';
  await cache.begin(choice);
  await cache.set('archive:1:a', Buffer.from('x'), 1000);
  expect(await inUse()).toBe('memory');
  external.state.fault = null;
  await vi.waitFor(async () => expect(await inUse()).toBe('external'), { timeout: 5_000 });
});

describe('a change of the store', () => {
  test('to a failing one changes nothing', async () => {
    await begun();
    const former = external;
    external = breakable();
    external.state.fault = 'fails';
    expect(await cache.apply({ ...choice, url: 'redis://two' })).toBe('It is away.');
    expect(cache.choice.url).toBe('redis://one');
    expect(former.state.closed).toBe(false);
    expect(external.state.closed).toBe(true);
    expect(await inUse()).toBe('external');
  });

  test('to a working one takes effect at once and closes the former', async () => {
    await begun();
    const former = external;
    external = breakable();
    expect(await cache.apply({ ...choice, url: 'redis://two' })).toBeNull();
    expect(former.state.closed).toBe(true);
    await cache.set('archive:1:a', Buffer.from('x'), 1000);
    expect(external.state.inner.values.has('archive:1:a')).toBe(true);
  });

  test('to none keeps the memory cache', async () => {
    await begun();
    expect(await cache.apply({ ...choice, enabled: false })).toBeNull();
    expect(await cache.status()).toMatchObject({ inUse: 'memory', problem: null });
    expect(external.state.closed).toBe(true);
  });
});

test('drops exactly the keys with the prefix from both stores', async () => {
  await begun();
  for (const key of ['archive:1:a', 'archive:1:a/0', 'archive:11:a'])
    await cache.set(key, Buffer.from('x'), 1000);
  expect(await cache.drop('archive:1:')).toEqual({ count: 2, problem: null });
  expect([...external.state.inner.values.keys()]).toEqual(['archive:11:a']);
  expect([...memory.values.keys()]).toEqual(['archive:11:a']);
});

test('reports why entries stay if the external store refuses to drop them', async () => {
  await begun();
  await cache.set('archive:1:a', Buffer.from('x'), 1000);
  external.state.fault = 'fails';
  const { problem } = await cache.drop('archive:1:');
  expect(problem).not.toBeNull();
  expect([...memory.values.keys()]).toEqual([]);
});
