import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { CacheStore } from '@holdfast/plugin-api';
import { type ConformanceCase, conformanceCase, offered } from './case.js';

export interface CacheSuiteOptions {
  /** A started, empty cache store. */
  open(): Promise<{ cache: CacheStore; close(): Promise<void> }>;
}

type Check = (cache: CacheStore) => Promise<void>;

const key = 'archive:7:odd name [*]? \u00e4\\:1';

const checks: Record<string, Check> = {
  'returns strings and bytes unchanged': async (cache) => {
    const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
    await cache.set(key, every);
    await cache.set('archive:7:text', 'gr\u00fc\u00dfe');
    assert.deepEqual(bytesOf(await cache.get(key)), every);
    assert.equal(bytesOf(await cache.get('archive:7:text')).toString(), 'gr\u00fc\u00dfe');
  },
  'stores an empty value and distinguishes it from none': async (cache) => {
    await cache.set(key, Buffer.alloc(0));
    assert.equal(bytesOf(await cache.get(key)).length, 0);
    assert.equal(await cache.get('archive:7:other'), undefined);
  },
  'stores a value of several megabytes': async (cache) => {
    const large = randomBytes(3 << 20);
    await cache.set(key, large, 60_000);
    assert.ok(bytesOf(await cache.get(key)).equals(large));
  },
  'is not affected by later changes of a buffer': async (cache) => {
    const value = Buffer.from('first');
    await cache.set(key, value);
    value.fill(0);
    assert.equal(bytesOf(await cache.get(key)).toString(), 'first');
  },
  'replaces a value and its TTL': async (cache) => {
    await cache.set(key, 'first', 50);
    await cache.set(key, 'second', 60_000);
    await pause(120);
    assert.equal(bytesOf(await cache.get(key)).toString(), 'second');
  },
  'forgets a value when its TTL has passed': async (cache) => {
    await cache.set(key, 'short', 60);
    await cache.set('archive:7:long', 'long', 60_000);
    await pause(150);
    assert.equal(await cache.get(key), undefined);
    assert.notEqual(await cache.get('archive:7:long'), undefined);
  },
  'deletes, and reports whether the key existed': async (cache) => {
    await cache.set(key, 'value');
    assert.equal(await cache.delete(key), true);
    assert.equal(await cache.delete(key), false);
    assert.equal(await cache.get(key), undefined);
  },
  'deletes many at once': async (cache) => {
    const keys = Array.from({ length: 2_500 }, (_, n) => `archive:8:many/${n}`);
    for (const each of keys) await cache.set(each, 'value');
    await cache.deleteMany?.(keys);
    assert.deepEqual(await keysOf(cache, 'archive:8:'), []);
  },
  'lists every key with a prefix, and no other': async (cache) => {
    const own = Array.from({ length: 1_200 }, (_, n) => `archive:1:a/${n}`);
    for (const each of [...own, 'archive:11:a', 'archive:1', key]) await cache.set(each, 'value');
    assert.deepEqual(await keysOf(cache, 'archive:1:'), own.sort());
    assert.deepEqual(await keysOf(cache, 'archive:7:odd name [*]?'), [key]);
  },
  'knows the size of its entries': async (cache) => {
    await cache.set('archive:1:a', Buffer.alloc(1000));
    await cache.set('archive:1:b', Buffer.alloc(500));
    await cache.set('archive:2:a', Buffer.alloc(100));
    offered(cache.usage, 'usage');
    assert.deepEqual(await cache.usage?.('archive:1:'), { entries: 2, bytes: 1500 });
  },
  'sets an absent key for exactly one of many callers': async (cache) => {
    offered(cache.setIfAbsent, 'setIfAbsent');
    const wish = () => cache.setIfAbsent?.(key, 'mine', 60) ?? false;
    const won = await Promise.all(Array.from({ length: 20 }, wish));
    assert.equal(won.filter(Boolean).length, 1);
    await pause(150);
    assert.equal(await wish(), true);
  },
};

/** Conformance cases for a cache store, each on an empty one. */
export const cacheSuite = ({ open }: CacheSuiteOptions): ConformanceCase[] =>
  Object.entries(checks).map(([name, check]) =>
    conformanceCase(name, async () => {
      const { cache, close } = await open();
      try {
        await check(cache);
      } finally {
        await close();
      }
    }),
  );

function bytesOf(value: unknown): Buffer {
  assert.ok(
    typeof value === 'string' || value instanceof Uint8Array,
    'the value is neither a string nor bytes',
  );
  return Buffer.from(value as string);
}

async function keysOf(cache: CacheStore, prefix: string): Promise<string[]> {
  const keys = new Set<string>();
  if (cache.keysWith)
    for await (const batch of cache.keysWith(prefix)) for (const each of batch) keys.add(each);
  else {
    for await (const [each] of cache.iterator?.() ?? []) {
      if (String(each).startsWith(prefix)) keys.add(String(each));
    }
  }
  return [...keys].sort();
}
