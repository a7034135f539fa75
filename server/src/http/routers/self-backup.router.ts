import { selfBackupContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const selfBackupRouter = ({
  recovery,
}: Pick<UseCases, 'recovery'>): RouterOf<typeof selfBackupContract> =>
  server.router(selfBackupContract, {
    get: async () => ok(await recovery.getSelfBackup()),
    put: async ({ body, req }) => ok(await recovery.putSelfBackup(callerOf(req), body)),
  });
