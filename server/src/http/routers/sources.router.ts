import { sourcesContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const sourcesRouter = ({ sources }: Pick<UseCases, 'sources'>): RouterOf<typeof sourcesContract> =>
  server.router(sourcesContract, {
    kinds: async () => ok(sources.listKinds()),
    find: async ({ body }) => ok(await sources.findSources(body)),
    check: async ({ body }) => ok(await sources.checkSource(body)),
  });
