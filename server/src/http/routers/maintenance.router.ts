import { maintenanceContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { sendDownload } from '../downloads/streams.js';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const maintenanceRouter = ({
  maintenance,
}: Pick<UseCases, 'maintenance'>): RouterOf<typeof maintenanceContract> =>
  server.router(maintenanceContract, {
    check: {
      job: async ({ params }) => ok(await maintenance.checks.get(params.job_id)),
      jobs: async ({ params, query }) => ok(await maintenance.checks.list(params.repo_id, query)),
      cancel: async ({ params, req }) => ok(await maintenance.checks.cancel(callerOf(req), params.job_id)),
      log: async ({ params, query }) => ok(await maintenance.checks.readLog(params.job_id, query)),
      downloadLog: async ({ params, res }) =>
        sendDownload(res, await maintenance.checks.downloadLog(params.job_id)),
    },
    compact: {
      job: async ({ params }) => ok(await maintenance.compacts.get(params.job_id)),
      jobs: async ({ params, query }) => ok(await maintenance.compacts.list(params.repo_id, query)),
      cancel: async ({ params, req }) => ok(await maintenance.compacts.cancel(callerOf(req), params.job_id)),
      log: async ({ params, query }) => ok(await maintenance.compacts.readLog(params.job_id, query)),
      downloadLog: async ({ params, res }) =>
        sendDownload(res, await maintenance.compacts.downloadLog(params.job_id)),
    },
    prune: {
      job: async ({ params }) => ok(await maintenance.prunes.get(params.job_id)),
      jobs: async ({ params, query }) => ok(await maintenance.prunes.list(params.repo_id, query)),
      cancel: async ({ params, req }) => ok(await maintenance.prunes.cancel(callerOf(req), params.job_id)),
      log: async ({ params, query }) => ok(await maintenance.prunes.readLog(params.job_id, query)),
      downloadLog: async ({ params, res }) =>
        sendDownload(res, await maintenance.prunes.downloadLog(params.job_id)),
    },
    runningJobs: async ({ params }) => ok(await maintenance.listRunningJobs(params.repo_id)),
    startCheck: async ({ params, body, req }) =>
      ok(await maintenance.startCheck(callerOf(req), params.repo_id, body)),
    startRepair: async ({ params, body, req }) =>
      ok(await maintenance.startRepair(callerOf(req), params.repo_id, body)),
    signArchives: async ({ params, req }) =>
      ok(await maintenance.signArchives(callerOf(req), params.repo_id)),
    changePassphrase: async ({ params, body, req }) =>
      ok(await maintenance.changePassphrase(callerOf(req), params.repo_id, body)),
    startCompact: async ({ params, req }) =>
      ok(await maintenance.startCompact(callerOf(req), params.repo_id)),
    startPrune: async ({ params, body, req }) =>
      ok(await maintenance.startPrune(callerOf(req), params.repo_id, body)),
    acceptChanges: async ({ params }) => ok(await maintenance.acceptChanges(params.repo_id)),
    breakLock: async ({ params, req }) => ok(await maintenance.breakLock(callerOf(req), params.repo_id)),
    getCheckSchedule: async ({ params }) => ok(await maintenance.getCheckSchedule(params.repo_id)),
    putCheckSchedule: async ({ params, body, req }) =>
      ok(await maintenance.putCheckSchedule(params.repo_id, body, callerOf(req))),
  });
