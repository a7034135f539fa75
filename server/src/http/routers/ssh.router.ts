import { sshKeysContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../sign-in/auth.js';
import { created, ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const sshKeysRouter = ({ ssh }: Pick<UseCases, 'ssh'>): RouterOf<typeof sshKeysContract> =>
  server.router(sshKeysContract, {
    list: async () => ok(await ssh.listKeys()),
    importText: async ({ body }) => created(await ssh.importKeyText(body)),
    systemKey: async () => ok(await ssh.getSystemKey()),
    generate: async ({ body }) => created(await ssh.generateKey(body)),
    import: async ({ body }) => created(await ssh.importKey(body)),
    quickSetup: async ({ body }) => created(await ssh.quickSetup(body)),
    listConnections: async () => ok(await ssh.listConnections()),
    getConnection: async ({ params }) => ok(await ssh.getConnection(params.connection_id)),
    updateConnection: async ({ params, body }) => ok(await ssh.updateConnection(params.connection_id, body)),
    deleteConnection: async ({ params, query }) =>
      ok(await ssh.deleteConnection(params.connection_id, query.confirm)),
    testConnection: async ({ params }) => ok(await ssh.testConnection(params.connection_id)),
    refreshStorage: async ({ params }) => ok(await ssh.refreshStorage(params.connection_id)),
    redeploy: async ({ params, body }) => ok(await ssh.redeployKey(params.connection_id, body)),
    acceptHostKey: async ({ params, body }) =>
      ok(await ssh.acceptHostKey(params.connection_id, body.fingerprint)),
    browse: async ({ params, query }) => ok(await ssh.browseConnection(params.connection_id, query)),
    get: async ({ params }) => ok(await ssh.getKey(params.key_id)),
    update: async ({ params, body }) => ok(await ssh.updateKey(params.key_id, body)),
    delete: async ({ params }) => ok(await ssh.deleteKey(params.key_id)),
    deploy: async ({ params, body, req }) => ok(await ssh.deployKey(callerOf(req), params.key_id, body)),
    testNewConnection: async ({ params, body }) => ok(await ssh.testNewConnection(params.key_id, body)),
  });
