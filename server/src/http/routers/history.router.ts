import { historyContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { clientGone } from '../downloads/client-gone.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

type Needed = Pick<UseCases, 'history' | 'archives'>;

export const historyRouter = ({ history, archives }: Needed): RouterOf<typeof historyContract> =>
  server.router(historyContract, {
    repository: async ({ params: { repo_id }, query: { path, ...query }, res }) =>
      ok(
        path === undefined
          ? await history.getRepositoryHistory(repo_id, query)
          : await archives.getPathHistory({ repository_id: repo_id, path }, clientGone(res)),
      ),
    runs: async ({ query }) => ok(await history.listRunsOfDay(query)),
    days: async ({ query }) => ok(await history.getHistoryDays(query)),
  });
