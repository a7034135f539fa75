import { repositoriesContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { sendDownload } from '../downloads/streams.js';
import { callerOf } from '../sign-in/auth.js';
import { created, ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const repositoriesRouter = ({
  repositories,
}: Pick<UseCases, 'repositories'>): RouterOf<typeof repositoriesContract> =>
  server.router(repositoriesContract, {
    list: async ({ req }) => ok(await repositories.listRepositories(callerOf(req))),
    create: async ({ body }) => created(await repositories.createRepository(body)),
    import: async ({ body }) => created(await repositories.importRepository(body)),
    get: async ({ params, req }) => ok(await repositories.getRepository(callerOf(req), params.repo_id)),
    update: async ({ params, body }) => ok(await repositories.updateRepository(params.repo_id, body)),
    delete: async ({ params }) => ok(await repositories.deleteRepository(params.repo_id)),
    setPassphrase: async ({ params, body }) => ok(await repositories.setPassphrase(params.repo_id, body)),
    test: async ({ params }) => ok(await repositories.testRepository(params.repo_id)),
    acceptIdentity: async ({ params, body }) => ok(await repositories.acceptIdentity(params.repo_id, body)),
    uploadKeyFile: async ({ params, req }) =>
      ok(await repositories.uploadKeyFile(params.repo_id, req.file?.buffer ?? null)),
    downloadKeyFile: async ({ params, res }) =>
      sendDownload(res, await repositories.downloadKeyFile(params.repo_id)),
  });
