import { historyContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const historyRouter = ({ history }: Pick<UseCases, 'history'>): RouterOf<typeof historyContract> =>
  server.router(historyContract, {
    repository: async ({ params, query }) => ok(await history.getRepositoryHistory(params.repo_id, query)),
    days: async ({ query }) => ok(await history.getHistoryDays(query)),
  });
