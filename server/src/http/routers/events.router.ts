import { eventsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import type { EventStreams } from '../events/event-streams.js';
import { callerOf } from '../sign-in/auth.js';
import type { RouterOf } from './route-handlers.js';

const server = initServer();

export const eventsRouter = (streams: EventStreams): RouterOf<typeof eventsContract> =>
  server.router(eventsContract, {
    stream: async ({ query, headers, req, res }) =>
      streams.send({
        res,
        caller: callerOf(req),
        kinds: query.kinds,
        repositoryId: query.repository_id,
        withProgress: query.progress,
        // The header wins: a reconnecting browser sends a newer id than the one in the URL.
        lastEventId: headers['last-event-id'] ?? query.last_event_id,
      }),
  });
