import { auditContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const auditRouter = ({ audit }: Pick<UseCases, 'audit'>): RouterOf<typeof auditContract> =>
  server.router(auditContract, {
    list: async ({ query }) => ok(await audit.listEntries(query)),
  });
