import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { MemoryCache } from '../src/memory-cache.js';

let now: number;
let cache: MemoryCache;
const make = (maxBytes: number) => new MemoryCache({ maxBytes, clock: { now: () => now } });

beforeEach(() => {
  now = 1_000_000;
  cache = make(1_048_576);
});

const keys = async (namespace?: string) => {
  const found: unknown[] = [];
  for await (const [key] of cache.iterator(namespace)) found.push(key);
  return found;
};

test('returns stored strings and Buffers', async () => {
  expect(await cache.set('text', 'grüße')).toBe(true);
  expect(await cache.set('bytes', Buffer.from([0, 255, 1]))).toBe(true);
  expect(await cache.get('text')).toBe('grüße');
  expect(await cache.get('bytes')).toEqual(Buffer.from([0, 255, 1]));
  expect(await cache.get('nothing')).toBeUndefined();
  await expect(cache.set('object', { a: 1 })).rejects.toThrow(TypeError);
});

test('keeps a copy: a Buffer that is used again changes nothing', async () => {
  const source = Buffer.from('abc');
  await cache.set('key', source);
  source.fill(0);
  expect(await cache.get('key')).toEqual(Buffer.from('abc'));
});

describe('time to live', () => {
  test('ends an entry everywhere', async () => {
    await cache.set('short', 'a', 1000);
    await cache.set('endless', 'b');
    now += 999;
    expect(await cache.getMany(['short', 'endless'])).toEqual(['a', 'b']);
    now += 2;
    expect(await cache.getMany(['short', 'endless'])).toEqual([undefined, 'b']);
    expect(await cache.hasMany(['short', 'endless'])).toEqual([false, true]);
    expect(await keys()).toEqual(['endless']);
  });

  test('starts again with each set', async () => {
    await cache.set('key', 'a', 1000);
    now += 900;
    await cache.set('key', 'b', 1000);
    now += 900;
    expect(await cache.get('key')).toBe('b');
  });
});

describe('the bound', () => {
  test('counts bytes and evicts the least recently used', async () => {
    cache = make(10_000);
    await cache.set('a', Buffer.alloc(4000));
    await cache.set('b', Buffer.alloc(4000));
    await cache.get('a');
    await cache.set('c', Buffer.alloc(4000));
    expect(await cache.hasMany(['a', 'b', 'c'])).toEqual([true, false, true]);
  });

  test('counts two bytes a character', async () => {
    cache = make(10_000);
    await cache.set('a', 'x'.repeat(3000));
    await cache.set('b', 'x'.repeat(3000));
    expect(await cache.hasMany(['a', 'b'])).toEqual([false, true]);
  });

  test('refuses a value above the limit and reports it', async () => {
    cache = make(10_000);
    await cache.set('a', 'small');
    expect(await cache.set('a', Buffer.alloc(10_000))).toBe(false);
    expect(await cache.get('a')).toBeUndefined();
  });
});

test('deletes one, many, all', async () => {
  await cache.setMany(['a', 'b', 'c', 'd'].map((key) => ({ key, value: key })));
  expect(await cache.delete('a')).toBe(true);
  expect(await cache.delete('a')).toBe(false);
  expect(await cache.deleteMany(['a', 'b'])).toBe(true);
  expect(await cache.deleteMany(['a', 'b'])).toBe(false);
  expect((await keys()).sort()).toEqual(['c', 'd']);
  await cache.clear();
  expect(await keys()).toEqual([]);
});

test('can be changed while it is iterated', async () => {
  await cache.setMany(['n:a', 'n:b', 'n:c', 'm:a'].map((key) => ({ key, value: key })));
  const seen: unknown[] = [];
  for await (const [key, value] of cache.iterator('n')) {
    expect(value).toBe(key);
    seen.push(key);
    await cache.clear();
  }
  expect(seen).toHaveLength(1);
});

describe('the sweep', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('frees expired values automatically until the stop', async () => {
    cache = make(10_000);
    await cache.start();
    await cache.set('old', Buffer.alloc(4000), 1000);
    await cache.set('kept', Buffer.alloc(4000), 1000_000);
    await cache.get('old');
    now += 2000;
    vi.advanceTimersByTime(60_000);
    await cache.set('new', Buffer.alloc(4000), 1000_000);
    expect(await cache.hasMany(['kept', 'new'])).toEqual([true, true]);
    await cache.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
