import { overviewContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const overviewRouter = ({ overview }: Pick<UseCases, 'overview'>): RouterOf<typeof overviewContract> =>
  server.router(overviewContract, {
    get: async ({ query }) => ok(await overview.getOverview(query)),
    summary: async () => ok(await overview.getSummary()),
  });
