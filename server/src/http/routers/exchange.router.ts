import { exchangeContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const exchangeRouter = ({ exchange }: Pick<UseCases, 'exchange'>): RouterOf<typeof exchangeContract> =>
  server.router(exchangeContract, {
    exportSettings: async () => ok(await exchange.exportSettings()),
    exportSealedSettings: async ({ body }) => ok(await exchange.exportSettings(body.seal_passphrase)),
    importSettings: async ({ body, req }) => ok(await exchange.importSettings(callerOf(req), body)),
    importBorgmatic: async ({ body, req }) => ok(await exchange.importBorgmatic(callerOf(req), body)),
    exportBorgmatic: async ({ query: { repository_id: id } }) =>
      ok(await exchange.exportBorgmatic({ ...(id && { repository_ids: [id] }), secrets: false })),
    exportBorgmaticWith: async ({ body }) => ok(await exchange.exportBorgmatic(body)),
  });
