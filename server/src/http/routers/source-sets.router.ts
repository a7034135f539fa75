import { sourceSetsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { created, ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const sourceSetsRouter = ({
  repositories,
}: Pick<UseCases, 'repositories'>): RouterOf<typeof sourceSetsContract> =>
  server.router(sourceSetsContract, {
    list: async () => ok(await repositories.listSourceSets()),
    create: async ({ body }) => created(await repositories.createSourceSet(body)),
    get: async ({ params }) => ok(await repositories.getSourceSet(params.source_set_id)),
    update: async ({ params, body }) => ok(await repositories.updateSourceSet(params.source_set_id, body)),
    delete: async ({ params }) => ok(await repositories.deleteSourceSet(params.source_set_id)),
  });
