import { eventsContract } from '@holdfast/contracts';
import { initServer } from '@ts-rest/express';
import { callerOf } from '../auth.js';
import type { EventStreams } from '../events/event-streams.js';
import type { RouterOf } from '../route-handlers.js';

const server = initServer();

export const eventsRouter = (streams: EventStreams): RouterOf<typeof eventsContract> =>
  server.router(eventsContract, {
    stream: async ({ query, headers, req, res }) =>
      streams.send({
        ...{ res, caller: callerOf(req), kinds: query.kinds, repositoryId: query.repository_id },
        // What a browser sends when it connects again is newer than the address that it was given.
        lastEventId: headers['last-event-id'] ?? query.last_event_id,
      }),
  });
