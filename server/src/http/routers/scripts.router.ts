import { scriptsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { clientGone } from '../client-gone.js';
import { created, noContent, ok } from '../reply.js';
import type { UseCases } from '../use-cases.js';

const server = initServer();

const keyOf = ({ repo_id, attachment_id }: { repo_id: number; attachment_id: number }) => ({
  repositoryId: repo_id,
  attachmentId: attachment_id,
});

export const scriptsRouter = ({ scripts }: Pick<UseCases, 'scripts'>) =>
  server.router(scriptsContract, {
    list: async ({ query }) => ok(await scripts.listScripts(query)),
    create: async ({ body }) => created(await scripts.createScript(body)),
    testText: async ({ body, res }) => ok(await scripts.testText(body.script, clientGone(res))),
    cleanUpOrphans: async () => ok(await scripts.cleanUpOrphans()),
    get: async ({ params }) => ok(await scripts.getScript(params.script_id)),
    update: async ({ params, body }) => ok(await scripts.updateScript(params.script_id, body)),
    delete: async ({ params }) => {
      await scripts.deleteScript(params.script_id);
      return noContent();
    },
    test: async ({ params, body, res }) =>
      ok(await scripts.testScript(params.script_id, body ?? {}, clientGone(res))),
    listAttachments: async ({ params }) => ok(await scripts.listAttachments(params.repo_id)),
    attach: async ({ params, body }) => created(await scripts.attachScript(params.repo_id, body)),
    getAttachment: async ({ params }) => ok(await scripts.getAttachment(keyOf(params))),
    updateAttachment: async ({ params, body }) => ok(await scripts.updateAttachment(keyOf(params), body)),
    detach: async ({ params }) => {
      await scripts.detachScript(keyOf(params));
      return noContent();
    },
  });
