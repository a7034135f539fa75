import { movingInContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const movingInRouter = ({ movingIn }: Pick<UseCases, 'movingIn'>): RouterOf<typeof movingInContract> =>
  server.router(movingInContract, {
    discover: async ({ body, req }) => ok(await movingIn.discover(callerOf(req), body)),
    discovery: async ({ params, query }) => ok(await movingIn.showDiscovery(params.job_id, query)),
    open: async ({ params, body }) => ok(await movingIn.openFound(params.job_id, body)),
    importMany: async ({ body }) => ok(await movingIn.importMany(body)),
    suggestions: async ({ params, query }) => ok(await movingIn.suggest(params.repo_id, query)),
    takeOver: async ({ params, body, req }) =>
      ok(await movingIn.takeOver(callerOf(req), params.repo_id, body)),
  });
