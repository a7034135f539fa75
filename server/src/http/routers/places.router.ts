import { placesContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { clientGone } from '../downloads/client-gone.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const placesRouter = ({ places }: Pick<UseCases, 'places'>): RouterOf<typeof placesContract> =>
  server.router(placesContract, {
    browse: async ({ query }) => ok(await places.browseFolder(query)),
    disks: async () => ok(await places.listDisks()),
    preflight: async ({ body, res }) => ok(await places.preflight(body, clientGone(res))),
  });
