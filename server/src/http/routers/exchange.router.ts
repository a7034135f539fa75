import { exchangeContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const exchangeRouter = ({ movingIn }: Pick<UseCases, 'movingIn'>): RouterOf<typeof exchangeContract> =>
  server.router(exchangeContract, {
    exportSettings: async () => ok(await movingIn.exportSettings()),
    exportSealedSettings: async ({ body }) => ok(await movingIn.exportSettings(body.seal_passphrase)),
    importSettings: async ({ body, req }) => ok(await movingIn.importSettings(callerOf(req), body)),
    importBorgmatic: async ({ body, req }) => ok(await movingIn.importBorgmatic(callerOf(req), body)),
    exportBorgmatic: async ({ query: { repository_id: id, importer } }) =>
      ok(await movingIn.exportBorgmatic({ ...(id && { repository_ids: [id] }), secrets: false, importer })),
    exportBorgmaticWith: async ({ body }) => ok(await movingIn.exportBorgmatic(body)),
  });
