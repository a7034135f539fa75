import { scriptsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { clientGone } from '../downloads/client-gone.js';
import { callerOf } from '../sign-in/auth.js';
import { created, noContent, ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

const keyOf = ({ repo_id, attachment_id }: { repo_id: number; attachment_id: number }) => ({
  repositoryId: repo_id,
  attachmentId: attachment_id,
});

export const scriptsRouter = ({ scripts }: Pick<UseCases, 'scripts'>): RouterOf<typeof scriptsContract> =>
  server.router(scriptsContract, {
    list: async ({ query, req }) => ok(await scripts.listScripts(callerOf(req), query)),
    create: async ({ body }) => created(await scripts.createScript(body)),
    testText: async ({ body, res }) => ok(await scripts.testText(body.script, clientGone(res))),
    cleanUpOrphans: async () => ok(await scripts.cleanUpOrphans()),
    get: async ({ params, req }) => ok(await scripts.getScript(callerOf(req), params.script_id)),
    update: async ({ params, body }) => ok(await scripts.updateScript(params.script_id, body)),
    delete: async ({ params }) => {
      await scripts.deleteScript(params.script_id);
      return noContent();
    },
    test: async ({ params, body, res }) =>
      ok(await scripts.testScript(params.script_id, body ?? {}, clientGone(res))),
    listAttachments: async ({ params, req }) =>
      ok(await scripts.listAttachments(callerOf(req), params.repo_id)),
    attach: async ({ params, body }) => created(await scripts.attachScript(params.repo_id, body)),
    getAttachment: async ({ params, req }) => ok(await scripts.getAttachment(callerOf(req), keyOf(params))),
    updateAttachment: async ({ params, body }) => ok(await scripts.updateAttachment(keyOf(params), body)),
    detach: async ({ params }) => {
      await scripts.detachScript(keyOf(params));
      return noContent();
    },
  });
