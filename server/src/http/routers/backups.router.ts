import { backupsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { sendDownload } from '../downloads/streams.js';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const backupsRouter = ({ backups }: UseCases): RouterOf<typeof backupsContract> =>
  server.router(backupsContract, {
    start: async ({ body, req }) => ok(await backups.startBackup(callerOf(req), body)),
    list: async ({ query }) => ok(await backups.listBackupJobs(query)),
    status: async ({ params }) => ok(await backups.getBackupStatus(params.job_id)),
    cancel: async ({ params }) => ok(await backups.cancelBackup(params.job_id)),
    readLog: async ({ params, query }) => ok(await backups.readBackupLog(params.job_id, query)),
    downloadLog: async ({ params, res }) => sendDownload(res, await backups.downloadBackupLog(params.job_id)),
  });
