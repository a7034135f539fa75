import { cacheContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const cacheRouter = ({ cache }: Pick<UseCases, 'cache'>): RouterOf<typeof cacheContract> =>
  server.router(cacheContract, {
    stats: async () => ok(await cache.getCacheStats()),
    clear: async () => ok(await cache.clearCache()),
    clearRepository: async ({ body }) => ok(await cache.clearRepositoryCache(body)),
    settings: async () => ok(await cache.getCacheSettings()),
    updateSettings: async ({ body }) => ok(await cache.updateCacheSettings(body)),
  });
