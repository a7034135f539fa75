import { restoreContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { clientGone } from '../downloads/client-gone.js';
import { sendDownload } from '../downloads/streams.js';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const restoreRouter = ({
  restore,
  archives,
}: Pick<UseCases, 'restore' | 'archives'>): RouterOf<typeof restoreContract> =>
  server.router(restoreContract, {
    plan: async ({ body, req, res }) => ok(await restore.planRestore(callerOf(req), body, clientGone(res))),
    start: async ({ body, req }) => ok(await restore.startRestore(callerOf(req), body)),
    dump: async ({ body, req }) => ok(await restore.startDumpRestore(callerOf(req), body)),
    jobs: async ({ query }) => ok(await restore.listRestoreJobs(query)),
    status: async ({ params }) => ok(await restore.getRestoreStatus(params.job_id)),
    cancel: async ({ params }) => ok(await restore.cancelRestore(params.job_id)),
    manifest: async ({ params, query }) => ok(await restore.readManifest(params.job_id, query)),
    log: async ({ params, query }) => ok(await restore.readRestoreLog(params.job_id, query)),
    downloadLog: async ({ params, res }) =>
      sendDownload(res, await restore.downloadRestoreLog(params.job_id)),
    archives: async ({ params }) => ok(await archives.listArchives(params)),
    contents: async ({ params: { repository_id, archive_name: archive }, query, res }) =>
      ok(await archives.listContents({ repository_id, archive, path: query.path }, clientGone(res))),
  });
