import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import {
  cacheable,
  conditional,
  done,
  failures,
  idText,
  outdated,
  type RouteMetadata,
  retryable,
} from './common.js';
import { newSourceSet, sourceSetChanges, sourceSetView, sourceSetWritten } from './schemas/source-set.js';

const c = initContract();
const tag = 'Source sets';
const anyUser = { access: { who: 'any' }, tag } satisfies RouteMetadata;
const admin = { access: { who: 'admin' }, tag } satisfies RouteMetadata;
const confirmed = { access: { who: 'admin', confirm: 'always' }, tag } satisfies RouteMetadata;
const itsId = z.object({ source_set_id: idText.openapi({ description: 'Id of the source set.' }) });

export const sourceSetsContract = c.router({
  list: {
    method: 'GET',
    path: '/api/source-sets',
    summary: 'List the source sets',
    description: 'In order of creation, with the repositories that use each set.',
    responses: {
      200: z.object({ success: z.literal(true), source_sets: z.array(sourceSetView) }),
      ...failures,
    },
    metadata: anyUser,
  },
  create: {
    method: 'POST',
    path: '/api/source-sets',
    summary: 'Create a source set',
    description: 'It is used as soon as a repository names it in `source_set_id`.',
    body: newSourceSet,
    responses: { 201: sourceSetWritten, ...failures },
    headers: retryable,
    metadata: { ...admin, creates: 'resource' } satisfies RouteMetadata,
  },
  get: {
    method: 'GET',
    path: '/api/source-sets/:source_set_id',
    summary: 'Show one source set',
    description: 'With the repositories that use it.',
    pathParams: itsId,
    responses: {
      200: z.object({ success: z.literal(true), source_set: sourceSetView }),
      304: c.noBody(),
      ...failures,
    },
    headers: cacheable,
    metadata: { ...anyUser, version: 'source_set' } satisfies RouteMetadata,
  },
  update: {
    method: 'PUT',
    path: '/api/source-sets/:source_set_id',
    summary: 'Change a source set and all repositories that use it',
    description: 'Absent fields are not changed. Running backups keep the sources that they started with.',
    pathParams: itsId,
    body: sourceSetChanges,
    responses: { 200: sourceSetWritten, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'source_set' } satisfies RouteMetadata,
  },
  delete: {
    method: 'DELETE',
    path: '/api/source-sets/:source_set_id',
    summary: 'Delete an unused source set',
    description: '409 while repositories use it; the error names them.',
    pathParams: itsId,
    body: c.noBody(),
    responses: { 200: done, ...failures, ...outdated },
    headers: conditional,
    metadata: { ...confirmed, version: 'source_set' } satisfies RouteMetadata,
  },
});
