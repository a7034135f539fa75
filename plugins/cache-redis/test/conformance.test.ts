import { cacheSuite } from '@holdfast/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCache, type RedisServer, startRedis } from './redis.js';

let server: RedisServer;
beforeAll(async () => {
  server = await startRedis();
});
afterAll(() => server?.remove());

describe('cache-redis passes the suite for cache stores', () => {
  const open = async () => {
    await server.command('FLUSHALL');
    const cache = await openCache(server.url);
    expect(await cache.health?.()).toBeNull();
    return { cache, close: async () => cache.stop?.() };
  };
  for (const { name, run } of cacheSuite({ open })) it(name, run);
});
