import { jobsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { sendDownload } from '../downloads/streams.js';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const jobsRouter = ({ jobs }: UseCases): RouterOf<typeof jobsContract> =>
  server.router(jobsContract, {
    list: async ({ query, req }) => ok(await jobs.listJobs(callerOf(req), query)),
    job: async ({ params, req }) => ok(await jobs.getJob(callerOf(req), params.job_id)),
    cancel: async ({ params, req }) => ok(await jobs.cancelJob(callerOf(req), params.job_id)),
    log: async ({ params, query }) => ok(await jobs.readJobLog(params.job_id, query)),
    downloadLog: async ({ params, res }) => sendDownload(res, await jobs.downloadJobLog(params.job_id)),
  });
