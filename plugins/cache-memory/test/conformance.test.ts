import { cacheSuite } from '@holdfast/testkit';
import { describe, it } from 'vitest';
import { MemoryCache } from '../src/memory-cache.js';

describe('cache-memory passes the suite for cache stores', () => {
  const open = async () => {
    const cache = new MemoryCache({ maxBytes: 64 << 20, clock: Date });
    await cache.start();
    return { cache, close: () => cache.stop() };
  };
  for (const { name, run } of cacheSuite({ open })) it(name, run);
});
