import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { booleanText, failures, linkQuery, type RouteMetadata } from './common.js';
import { eventKind } from './schemas/event.js';
import * as field from './schemas/fields.js';

const c = initContract();
const { 404: _notFound, 409: _conflict, ...always } = failures;
const place = z
  .string()
  .regex(/^\d{1,16}$/, 'must be the id of an event')
  .transform(Number)
  .refine(Number.isSafeInteger, 'must be the id of an event')
  .optional()
  .openapi({ type: 'integer', minimum: 0, description: 'Continues after this event.', example: 41 });
const kinds = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(eventKind))
  .optional()
  .openapi({
    type: 'string',
    description: 'Only events of these kinds, separated by commas.',
    example: 'backup_success,backup_failure',
  });

export const eventsContract = c.router({
  stream: {
    method: 'GET',
    path: '/api/events',
    summary: 'Follow events, as server-sent events',
    description:
      'The stream stays open while the client is connected. With `Last-Event-ID`, or `last_event_id` in the ' +
      'query, it continues after that event without gaps, on any instance; otherwise it starts with the next ' +
      'event. An event `reset` means that older events were removed, or that the id is unknown: reload any ' +
      'state that you keep. With `progress=1`, also `job_progress` of running jobs, without an id.',
    headers: z.object({ 'last-event-id': place }),
    query: linkQuery.extend({
      last_event_id: place.openapi({ description: 'For clients that cannot send `Last-Event-ID`.' }),
      kinds,
      repository_id: field.repositoryIdText.optional(),
      progress: booleanText.openapi({
        description: 'Also sends the progress of running jobs, at most once a second for each job.',
      }),
    }),
    responses: { 200: c.otherResponse({ contentType: 'text/event-stream', body: z.string() }), ...always },
    metadata: {
      access: { who: 'any', tokenInQuery: true },
      tag: 'Events',
      download: { contentType: 'text/event-stream' },
    } satisfies RouteMetadata,
  },
});
