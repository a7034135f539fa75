import { ownBackupContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const ownBackupRouter = ({
  recovery,
}: Pick<UseCases, 'recovery'>): RouterOf<typeof ownBackupContract> =>
  server.router(ownBackupContract, {
    get: async () => ok(await recovery.getOwnBackup()),
    put: async ({ body, req }) => ok(await recovery.putOwnBackup(callerOf(req), body)),
  });
