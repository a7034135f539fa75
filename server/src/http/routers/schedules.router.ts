import { schedulesContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../sign-in/auth.js';
import { created, ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const schedulesRouter = ({
  schedules,
}: Pick<UseCases, 'schedules'>): RouterOf<typeof schedulesContract> =>
  server.router(schedulesContract, {
    list: async () => ok(await schedules.listSchedules()),
    create: async ({ body }) => created(await schedules.createSchedule(body)),
    cronPresets: async () => ok(schedules.listCronPresets()),
    validateCron: async ({ body }) => ok(await schedules.validateCron(body)),
    preview: async ({ body }) => ok(await schedules.previewSchedule(body)),
    adopt: async ({ params, body, req }) => ok(await schedules.adopt(callerOf(req), params.job_id, body)),
    release: async ({ params, body }) => ok(await schedules.release(params.job_id, body)),
    resumeRetention: async ({ params, body }) =>
      ok(await schedules.resumeRetention(params.job_id, body ?? {})),
    upcomingJobs: async ({ query }) => ok(await schedules.listUpcomingJobs(query)),
    getPause: async () => ok(await schedules.getPause()),
    setPause: async ({ body, req }) => ok(await schedules.setPause(callerOf(req), body.pause_until)),
    get: async ({ params }) => ok(await schedules.getSchedule(params.job_id)),
    update: async ({ params, body, req }) =>
      ok(await schedules.updateSchedule(callerOf(req), params.job_id, body)),
    delete: async ({ params }) => ok(await schedules.deleteSchedule(params.job_id)),
    toggle: async ({ params, req }) => ok(await schedules.toggleSchedule(params.job_id, callerOf(req))),
    runNow: async ({ params, req }) => ok(await schedules.runScheduleNow(callerOf(req), params.job_id)),
    duplicate: async ({ params }) => created(await schedules.duplicateSchedule(params.job_id)),
    runs: async ({ params, query }) => ok(await schedules.listScheduleRuns(params.job_id, query)),
  });
