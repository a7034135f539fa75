import type { CacheStore } from '@holdfast/plugin-api';
import { expect, test } from 'vitest';
import { makeProcessMetrics } from '../src/adapters/process-metrics.js';

const lookups = async (metrics: ReturnType<typeof makeProcessMetrics>) =>
  Object.fromEntries(
    [...(await metrics.text()).matchAll(/^bk_cache_lookups_total\{result="(\w+)"\} (\d+)$/gm)].map(
      ([, result, count]) => [result, Number(count)],
    ),
  );

test('counts cache lookups without changing the cache', async () => {
  const metrics = makeProcessMetrics();
  expect(await lookups(metrics)).toEqual({ hit: 0, miss: 0, failure: 0 });
  class Cache extends Map<string, string> {
    readonly #own = 'private';
    override get(key: string): never {
      if (key === 'broken') throw new Error('the store is away');
      return (super.get(key) ?? this.#own.at(99)) as never;
    }
  }
  const real = new Cache([['known', 'value']]);
  const cache = metrics.counted(real as unknown as CacheStore);
  expect(await cache.get('known')).toBe('value');
  expect(await cache.get('other')).toBeUndefined();
  await expect(cache.get('broken')).rejects.toThrow('the store is away');
  await cache.set('other', 'now known');
  expect(await cache.get('other')).toBe('now known');
  await cache.delete('known');
  expect([...real.keys()]).toEqual(['other']);
  expect(await lookups(metrics)).toEqual({ hit: 2, miss: 1, failure: 1 });
});
