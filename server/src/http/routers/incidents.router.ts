import { incidentsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../sign-in/auth.js';
import { ok } from './reply.js';
import type { RouterOf } from './route-handlers.js';
import type { UseCases } from './use-cases.js';

const server = initServer();

export const incidentsRouter = ({
  incidents,
}: Pick<UseCases, 'incidents'>): RouterOf<typeof incidentsContract> =>
  server.router(incidentsContract, {
    list: async ({ query }) => ok(await incidents.listIncidents(query)),
    get: async ({ params }) => ok(await incidents.getIncident(params.incident_id)),
    snooze: async ({ params, body, req }) =>
      ok(await incidents.snoozeIncident(callerOf(req), params.incident_id, body)),
    wake: async ({ params }) => ok(await incidents.wakeIncident(params.incident_id)),
  });
