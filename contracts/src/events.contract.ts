import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { failures, idText, linkQuery, type RouteMetadata } from './common.js';
import { eventKind } from './schemas/event.js';

const c = initContract();
const { 404: _notFound, 409: _conflict, ...always } = failures;
const place = z
  .string()
  .regex(/^\d{1,16}$/, 'must be the id of an event')
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be the id of an event')
  .optional()
  .openapi({ type: 'integer', minimum: 0, example: 41 });
const kinds = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(eventKind))
  .optional()
  .openapi({ type: 'string', example: 'backup_success,backup_failure' });

export const eventsContract = c.router({
  stream: {
    method: 'GET',
    path: '/api/events',
    summary: 'Follow what happens, as server-sent events',
    description:
      'Answers for as long as the client listens. With `Last-Event-ID`, or `last_event_id` in the query, it goes on ' +
      'behind that event, at any instance, without a gap; without one it begins with what happens next. ' +
      'An event `reset` says that older events are gone, or that the id is none of this service: look anew at ' +
      'whatever you keep.',
    headers: z.object({ 'last-event-id': place }),
    query: linkQuery.extend({ last_event_id: place, kinds, repository_id: idText.optional() }),
    responses: { 200: c.otherResponse({ contentType: 'text/event-stream', body: z.string() }), ...always },
    metadata: {
      access: { who: 'any', tokenInQuery: true },
      tag: 'Events',
      download: { contentType: 'text/event-stream' },
    } satisfies RouteMetadata,
  },
});
