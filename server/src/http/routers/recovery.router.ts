import { recoveryContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { sendDownload } from '../downloads/streams.js';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const recoveryRouter = ({ recovery }: Pick<UseCases, 'recovery'>): RouterOf<typeof recoveryContract> =>
  server.router(recoveryContract, {
    sheet: async ({ query: { format, secrets }, req, res }) =>
      sendDownload(
        res,
        await recovery.makeSheet(callerOf(req), { format, secrets }, { isKept: req.method !== 'HEAD' }),
      ),
    makeSheet: async ({ body: { format, secrets, seal_passphrase: sealPassphrase }, req, res }) =>
      sendDownload(res, await recovery.makeSheet(callerOf(req), { format, secrets, sealPassphrase })),
    noteSaved: async ({ body: { repository_id }, req }) =>
      ok(await recovery.noteSavedSheet(callerOf(req), repository_id)),
    sheetState: async () => ok(await recovery.sheetState()),
  });
