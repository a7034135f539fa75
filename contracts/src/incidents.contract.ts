import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { cacheable, conditional, failures, idText, outdated, type RouteMetadata } from './common.js';
import { incidentDetails, incidentFilter, incidentPage, snooze } from './schemas/incident.js';

const c = initContract();
const tag = 'Notifications';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const itsId = z.object({ incident_id: idText.openapi({ description: 'Id of the incident.' }) });

export const incidentsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/incidents',
    summary: 'Page through incidents, newest first',
    description: 'Open and resolved problems, one incident for each cause and object.',
    query: incidentFilter,
    responses: { 200: incidentPage, ...failures },
    metadata: anyUser,
  },
  get: {
    method: 'GET',
    path: '/api/incidents/:incident_id',
    summary: 'Show one incident',
    description: 'With the messages that were sent, and the jobs since.',
    pathParams: itsId,
    responses: { 200: incidentDetails, 304: c.noBody(), ...failures },
    headers: cacheable,
    metadata: { ...anyUser, version: 'incident' } satisfies RouteMetadata,
  },
  snooze: {
    method: 'POST',
    path: '/api/incidents/:incident_id/snooze',
    summary: 'Snooze an incident: send no reminder before a time',
    description:
      'If it is still open at that time, one reminder is sent to the same channels. They are always ' +
      'notified when it is resolved.',
    pathParams: itsId,
    body: snooze,
    responses: { 200: incidentDetails, ...failures },
    metadata: { ...admin, creates: 'nothing' } satisfies RouteMetadata,
  },
  wake: {
    method: 'DELETE',
    path: '/api/incidents/:incident_id/snooze',
    summary: 'End the snooze of an incident',
    description: 'Nothing is sent.',
    pathParams: itsId,
    body: c.noBody(),
    responses: { 200: incidentDetails, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...admin, version: 'incident' } satisfies RouteMetadata,
  },
});
